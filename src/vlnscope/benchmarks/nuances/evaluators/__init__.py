"""The five evaluators of NavNuances, as its code has them and as its paper words them."""
