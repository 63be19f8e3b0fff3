"""Pictures drawn by chance: paintings, rugs, screens, spines of books and more."""
