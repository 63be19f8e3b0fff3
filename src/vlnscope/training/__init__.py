"""Training of learned agents on two cores: whole data sets as arrays, one TOML file per experiment.

`experiment` says what is learned and how, `preparation` lays it out as arrays (`arrays`), `loop` moves the
weights and `run_state` keeps them. Losses are in `imitation`, `reinforce` and `tours`, all over what
`rollouts` walks; `validation` chooses the best weights. ``encoder`` trains the encoder of house pictures.
"""
