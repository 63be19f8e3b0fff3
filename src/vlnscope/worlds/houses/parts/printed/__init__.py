"""Things with pictures on them: paintings, clocks, screens, rugs and books."""
