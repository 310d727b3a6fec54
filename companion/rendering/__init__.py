"""Templates, fragments, PDF, pictures, QR codes and the print queue."""
