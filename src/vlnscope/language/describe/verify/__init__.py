"""Checks descriptions: is every statement true, and does the text allow another goal?"""
