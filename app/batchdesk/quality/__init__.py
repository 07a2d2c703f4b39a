"""What an answer is worth: checks, confidence, evaluation. Pure: an answer in, findings out."""
