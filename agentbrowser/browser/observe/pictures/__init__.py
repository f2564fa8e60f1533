"""Screenshots, PDFs and marks of elements on screenshots."""
