"""Arrow tables as data frames, for those who have pandas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vlnscope.exceptions import InputError

if TYPE_CHECKING:
    import pandas
    import pyarrow


def data_frame(table: pyarrow.Table) -> pandas.DataFrame:
    """Return a table as a data frame.

    Raises:
        InputError: pandas is not installed.
    """
    try:
        return table.to_pandas()
    except ModuleNotFoundError:
        raise InputError(
            "pandas is not installed",
            expected="pandas, which data frames need",
            fix="pip install 'vlnscope[pandas]', or use to_arrow()",
        ) from None
