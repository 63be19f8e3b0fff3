"""Runs agents: what they may do, what they see, how cases are rolled out, and how what they did is kept.

================  ====================================================================================
`action_space`    the contract of action spaces; the built-in ones are in `action_spaces`
`session`         the only thing that moves an agent: ``reset(episode)``, ``step(action)``
`environment`     scenes as agents see them; observations, without the answer
`rollout`         carries an agent through the cases of a job; `batched`: through many jobs at once
`vectorised`      the fast path of agents that decide with arrays
`run`             ``run(agent, data, out=…)``; `executors` say in which processes, `store` keeps the evidence
`gym`             navigation as gymnasium environments
================  ====================================================================================
"""
