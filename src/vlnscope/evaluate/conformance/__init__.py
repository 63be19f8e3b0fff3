"""`check-agent`: does an agent keep the rules that every benchmark relies on?"""
