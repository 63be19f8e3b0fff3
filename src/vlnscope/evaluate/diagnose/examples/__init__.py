"""Episodes that a report shows as examples, with maps, views and the steps of the agent."""
