"""The papers that this package's metrics, benchmarks and data sets come from."""

from __future__ import annotations

from typing import Literal

import msgspec

_CVPR = "IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)"
_EMNLP = "Conference on Empirical Methods in Natural Language Processing (EMNLP)"


class BibEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One publication; `doi` and `eprint` (of arXiv) only where they are certain.

    Attributes:
        key: for ``\\cite``.
        kind: the type of the BibTeX entry.
        authors: ``Surname, Given and Surname, Given``, as BibTeX wants them.
        title: with its own capitals.
        venue: the book, journal or series; empty for a preprint.
        year: of publication.
        pages: as ``first--last``.
        volume: of a journal.
        doi: without an address before it.
        eprint: number at arXiv.
        note: anything else.
    """

    key: str
    kind: Literal["inproceedings", "article", "misc"] = "inproceedings"
    authors: str = ""
    title: str
    venue: str = ""
    year: int | None = None
    pages: str = ""
    volume: str = ""
    doi: str = ""
    eprint: str = ""
    note: str = ""

    @property
    def text(self) -> str:
        """The entry as a line for readers."""
        names = [name.split(",")[0].strip("{}") for name in self.authors.split(" and ")]
        who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        where = f"https://doi.org/{self.doi}" if self.doi else f"arXiv:{self.eprint}" if self.eprint else ""
        year = str(self.year) if self.year else ""
        return ". ".join(part for part in (who, self.title, self.venue, year, where, self.note) if part)


ENTRIES = (
    BibEntry(
        key="anderson2018vision",
        authors="Anderson, Peter and Wu, Qi and Teney, Damien and Bruce, Jake and Johnson, Mark and "
        "Sünderhauf, Niko and Reid, Ian and Gould, Stephen and van den Hengel, Anton",
        title="Vision-and-Language Navigation: Interpreting Visually-Grounded Navigation Instructions "
        "in Real Environments",
        venue=_CVPR,
        year=2018,
        pages="3674--3683",
        doi="10.1109/CVPR.2018.00387",
    ),
    BibEntry(
        key="anderson2018evaluation",
        kind="article",
        authors="Anderson, Peter and Chang, Angel and Chaplot, Devendra Singh and Dosovitskiy, Alexey and "
        "Gupta, Saurabh and Koltun, Vladlen and Kosecka, Jana and Malik, Jitendra and Mottaghi, "
        "Roozbeh and Savva, Manolis and Zamir, Amir R.",
        title="On Evaluation of Embodied Navigation Agents",
        year=2018,
        eprint="1807.06757",
    ),
    BibEntry(
        key="chang2017matterport3d",
        authors="Chang, Angel and Dai, Angela and Funkhouser, Thomas and Halber, Maciej and Niessner, "
        "Matthias and Savva, Manolis and Song, Shuran and Zeng, Andy and Zhang, Yinda",
        title="Matterport3D: Learning from RGB-D Data in Indoor Environments",
        venue="International Conference on 3D Vision (3DV)",
        year=2017,
        pages="667--676",
        doi="10.1109/3DV.2017.00081",
    ),
    BibEntry(
        key="chen2019touchdown",
        authors="Chen, Howard and Suhr, Alane and Misra, Dipendra and Snavely, Noah and Artzi, Yoav",
        title="Touchdown: Natural Language Navigation and Spatial Reasoning in Visual Street Environments",
        venue=_CVPR,
        year=2019,
    ),
    BibEntry(
        key="holm1979simple",
        kind="article",
        authors="Holm, Sture",
        title="A Simple Sequentially Rejective Multiple Test Procedure",
        venue="Scandinavian Journal of Statistics",
        year=1979,
        volume="6",
        pages="65--70",
    ),
    BibEntry(
        key="hong2020sub",
        authors="Hong, Yicong and Rodriguez-Opazo, Cristian and Wu, Qi and Gould, Stephen",
        title="Sub-Instruction Aware Vision-and-Language Navigation",
        venue=_EMNLP,
        year=2020,
        pages="3360--3376",
        eprint="2004.02707",
    ),
    BibEntry(
        key="ilharco2019general",
        authors="Ilharco, Gabriel and Jain, Vihan and Ku, Alexander and Ie, Eugene and Baldridge, Jason",
        title="General Evaluation for Instruction Conditioned Navigation using Dynamic Time Warping",
        venue="NeurIPS Workshop on Visually Grounded Interaction and Language (ViGIL)",
        year=2019,
    ),
    BibEntry(
        key="jain2019stay",
        authors="Jain, Vihan and Magalhaes, Gabriel and Ku, Alexander and Vaswani, Ashish and Ie, Eugene "
        "and Baldridge, Jason",
        title="Stay on the Path: Instruction Fidelity in Vision-and-Language Navigation",
        venue="Annual Meeting of the Association for Computational Linguistics (ACL)",
        year=2019,
    ),
    BibEntry(
        key="krantz2020beyond",
        authors="Krantz, Jacob and Wijmans, Erik and Majumdar, Arjun and Batra, Dhruv and Lee, Stefan",
        title="Beyond the Nav-Graph: Vision-and-Language Navigation in Continuous Environments",
        venue="European Conference on Computer Vision (ECCV)",
        year=2020,
        pages="104--120",
        doi="10.1007/978-3-030-58604-1_7",
    ),
    BibEntry(
        key="krantz2023iterative",
        authors="Krantz, Jacob and Banerjee, Shurjo and Zhu, Wang and Corso, Jason and Anderson, Peter "
        "and Lee, Stefan and Thomason, Jesse",
        title="Iterative Vision-and-Language Navigation",
        venue=_CVPR,
        year=2023,
        eprint="2210.03087",
    ),
    BibEntry(
        key="ku2020room",
        authors="Ku, Alexander and Anderson, Peter and Patel, Roma and Ie, Eugene and Baldridge, Jason",
        title="Room-Across-Room: Multilingual Vision-and-Language Navigation with "
        "Dense Spatiotemporal Grounding",
        venue=_EMNLP,
        year=2020,
        pages="4392--4412",
        doi="10.18653/v1/2020.emnlp-main.356",
    ),
    BibEntry(
        key="qi2020reverie",
        authors="Qi, Yuankai and Wu, Qi and Anderson, Peter and Wang, Xin and Wang, William Yang and "
        "Shen, Chunhua and van den Hengel, Anton",
        title="REVERIE: Remote Embodied Visual Referring Expression in Real Indoor Environments",
        venue=_CVPR,
        year=2020,
        pages="9982--9991",
    ),
    BibEntry(
        key="taioli2024mind",
        authors="Taioli, Francesco and Rosa, Stefano and Castellini, Alberto and Natale, Lorenzo and Del "
        "Bue, Alessio and Farinelli, Alessandro and Cristani, Marco and Wang, Yiming",
        title="Mind the Error! Detection and Localization of Instruction Errors "
        "in Vision-and-Language Navigation",
        venue="IEEE/RSJ International Conference on Intelligent Robots and Systems (IROS)",
        year=2024,
        doi="10.1109/IROS58592.2024.10801822",
    ),
    BibEntry(
        key="wang2024navigating",
        authors="Wang, Zehao and Wu, Minye and Cao, Yixin and Ma, Yubo and Chen, Meiqi and Tuytelaars, Tinne",
        title="Navigating the Nuances: A Fine-grained Evaluation of Vision-Language Navigation",
        venue="Findings of the Association for Computational Linguistics: EMNLP",
        year=2024,
        eprint="2409.17313",
    ),
    BibEntry(
        key="yang2023behavioral",
        authors="Yang, Zijiao and Majumdar, Arjun and Lee, Stefan",
        title="Behavioral Analysis of Vision-and-Language Navigation Agents",
        venue=_CVPR,
        year=2023,
        doi="10.1109/CVPR52729.2023.00253",
    ),
    BibEntry(
        key="zhou2023navgpt",
        kind="article",
        authors="Zhou, Gengze and Hong, Yicong and Wu, Qi",
        title="NavGPT: Explicit Reasoning in Vision-and-Language Navigation with Large Language Models",
        year=2023,
        eprint="2305.16986",
    ),
)
"""By key."""
