"""Training of learned agents on two cores: whole data sets as arrays, one TOML file per experiment."""
