"""A real browser, and a report to look at."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from vlnscope.evaluate.diagnose.diagnose import diagnose

SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report of two agents on two houses, with all parts."""
    out = tmp_path_factory.mktemp("report") / "d"
    return diagnose(["follower", "random"], "houses/val_unseen@2", out=out, size="quick", workers=2).page


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go: $VLNSCOPE_SCREENSHOTS, or a temporary folder."""
    folder = Path(os.environ.get("VLNSCOPE_SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(params=sorted(SIZES))
def browser(request: pytest.FixtureRequest) -> Iterator[webdriver.Chrome]:
    """Chromium without a screen, as wide as a phone or a desk's screen, that writes down what it does."""
    driver = _chromium(*SIZES[request.param])
    yield driver
    driver.quit()


@pytest.fixture
def desktop() -> Iterator[webdriver.Chrome]:
    """The same, wide."""
    driver = _chromium(*SIZES["desktop"])
    yield driver
    driver.quit()


def _chromium(width: int, height: int) -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    options.add_argument(f"--window-size={width},{height}")
    options.binary_location = shutil.which("chromium") or ""
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    return driver
