"""Pages, facts and agents of the loop benchmark."""
