"""The report, opened from a file in a real browser: what readers click, press, see and print."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 30


def _open(driver: Chrome, page: Path) -> None:
    driver.get(page.resolve().as_uri())
    _until(driver, lambda d: d.execute_script("return document.readyState") == "complete")


def _until(driver: Chrome, condition: Any) -> Any:
    return WebDriverWait(driver, PATIENCE).until(condition)


def _show_all(driver: Chrome) -> None:
    """Unfold everything, and draw every plot."""
    driver.execute_script("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
    driver.set_script_timeout(PATIENCE * 4)
    driver.execute_async_script("vlnscope.drawAll().then(arguments[0])")


def _first_walk(driver: Chrome) -> WebElement:
    """Unfold what the first walk is folded into, and return its card with the player in it."""
    script = """
        const place = document.querySelector(".shown-walk");
        for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) {
          fold.open = true;
        }
        place.scrollIntoView();
    """
    driver.execute_script(script)
    card: WebElement = _until(driver, lambda d: d.find_element(By.CSS_SELECTOR, ".shown-walk .walk-card"))
    driver.execute_script("arguments[0].open = true", card)
    _until(driver, lambda d: card.find_elements(By.CSS_SELECTOR, ".walk-play"))
    return card


def test_it_opens_without_an_error_and_asks_no_network(browser: Chrome, report: Path, pictures: Path) -> None:
    _open(browser, report)
    _show_all(browser)
    told = [entry for entry in browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    assert told == []
    asked = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    urls = [a["params"]["request"]["url"] for a in asked if a["method"] == "Network.requestWillBeSent"]
    assert urls
    assert all(url.startswith(("file://", "data:", "blob:")) for url in urls)
    width = browser.execute_script("return window.innerWidth")
    browser.save_screenshot(str(pictures / f"top-{width}.png"))


def test_nothing_is_wider_than_the_screen(browser: Chrome, report: Path, pictures: Path) -> None:
    _open(browser, report)
    _show_all(browser)
    wide, screen = browser.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= screen
    for theme in ("light", "dark"):
        browser.execute_script(f"document.documentElement.dataset.theme = '{theme}'")
        shot = browser.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": False})
        (pictures / f"{theme}-{screen}.png").write_bytes(base64.b64decode(shot["data"]))


def test_every_plot_is_drawn(desktop: Chrome, report: Path) -> None:
    _open(desktop, report)
    _show_all(desktop)
    plots = desktop.find_elements(By.CSS_SELECTOR, "[data-plot]")
    assert plots
    assert all(plot.find_elements(By.CSS_SELECTOR, "svg.main-svg") for plot in plots)


def test_a_plot_is_drawn_when_it_comes_near(desktop: Chrome, report: Path) -> None:
    _open(desktop, report)
    plot = desktop.find_element(By.CSS_SELECTOR, "[data-plot]")
    desktop.execute_script("arguments[0].scrollIntoView()", plot)
    _until(desktop, lambda d: plot.find_elements(By.CSS_SELECTOR, "svg.main-svg"))


def test_a_walk_plays(browser: Chrome, report: Path, pictures: Path) -> None:
    _open(browser, report)
    card = _first_walk(browser)
    slider = card.find_element(By.CSS_SELECTOR, "input[type='range']")
    before = slider.get_property("value")
    browser.execute_script("arguments[0].click()", card.find_element(By.CSS_SELECTOR, ".walk-play"))
    _until(browser, lambda d: slider.get_property("value") != before)
    assert card.find_elements(By.CSS_SELECTOR, ".walk-word.walk-due, .walk-word.walk-said")
    assert card.find_element(By.CSS_SELECTOR, ".walk-now").text
    browser.save_screenshot(str(pictures / f"walk-{browser.execute_script('return innerWidth')}.png"))


def test_a_walk_steps_by_keys(desktop: Chrome, report: Path) -> None:
    _open(desktop, report)
    card = _first_walk(desktop)
    slider = card.find_element(By.CSS_SELECTOR, "input[type='range']")
    desktop.execute_script("arguments[0].focus()", slider)
    slider.send_keys(Keys.HOME)
    assert slider.get_property("value") == "0"
    slider.send_keys(Keys.ARROW_RIGHT)
    assert slider.get_property("value") == "1"


def test_a_table_sorts_by_click_and_by_key(desktop: Chrome, report: Path) -> None:
    _open(desktop, report)
    table = desktop.execute_script(
        """
        const tables = [...document.querySelectorAll("table.sortable")];
        const table = tables.find((one) => one.querySelector("td.num") && one.tBodies[0].rows.length > 2);
        for (let fold = table.closest("details"); fold; fold = fold.parentElement.closest("details")) {
          fold.open = true;
        }
        return table;
        """
    )
    place = desktop.execute_script(
        "return [...arguments[0].tHead.rows[0].cells].findIndex((c) => c.classList.contains('num'))", table
    )
    head = table.find_elements(By.CSS_SELECTOR, "th[scope='col']")[place]
    button = head.find_element(By.TAG_NAME, "button")
    desktop.execute_script("arguments[0].focus()", button)
    button.send_keys(Keys.ENTER)
    assert head.get_attribute("aria-sort") == "ascending"
    values = _numbers(desktop, table, place)
    assert values == sorted(values)
    desktop.execute_script("arguments[0].click()", button)
    assert head.get_attribute("aria-sort") == "descending"
    assert _numbers(desktop, table, place) == sorted(values, reverse=True)


def _numbers(driver: Chrome, table: WebElement, place: int) -> list[float]:
    script = """
        return [...arguments[0].tBodies[0].rows].map((row) => row.cells[arguments[1]].dataset.key)
          .filter((key) => key !== undefined).map(Number);
    """
    found: list[float] = driver.execute_script(script, table, place)
    return found


def test_the_keyboard_reaches_the_summary_and_everything_has_a_name(desktop: Chrome, report: Path) -> None:
    _open(desktop, report)
    ActionChains(desktop).send_keys(Keys.TAB).perform()
    assert desktop.switch_to.active_element.get_attribute("class") == "skip"
    ActionChains(desktop).send_keys(Keys.ENTER).perform()
    assert desktop.current_url.endswith("#summary")
    _show_all(desktop)
    nameless = desktop.execute_script(
        """
        const named = (one) => one.textContent.trim() || one.getAttribute("aria-label")
          || one.getAttribute("aria-labelledby") || one.closest("label") || one.title
          || (one.id && document.querySelector(`label[for="${one.id}"]`));
        const controls = [...document.querySelectorAll("button, a[href], input, summary, select")];
        const pictures = [...document.querySelectorAll("img")].filter((one) => !one.hasAttribute("alt"));
        return [...controls.filter((one) => !named(one)), ...pictures].map((one) => one.outerHTML);
        """
    )
    assert nameless == []


def test_the_theme_can_be_switched(desktop: Chrome, report: Path) -> None:
    _open(desktop, report)
    paper = "return getComputedStyle(document.body).backgroundColor"
    before = desktop.execute_script(paper)
    desktop.find_element(By.CSS_SELECTOR, "button[data-do='theme']").click()
    assert desktop.execute_script(paper) != before


def test_a_link_opens_what_it_leads_to(desktop: Chrome, report: Path) -> None:
    _open(desktop, report)
    target = desktop.execute_script(
        """
        const folded = [...document.querySelectorAll("a[href^='#']")]
          .map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))))
          .find((one) => one && one.closest("details:not([open])") && one.closest("main"));
        window.location.hash = folded.id;
        return folded;
        """
    )
    _until(desktop, lambda d: target.is_displayed())


def test_it_prints(desktop: Chrome, report: Path, pictures: Path) -> None:
    _open(desktop, report)
    printed = desktop.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})
    data = base64.b64decode(printed["data"])
    (pictures / "report.pdf").write_bytes(data)
    assert data.startswith(b"%PDF")
    assert len(data) > 50_000
