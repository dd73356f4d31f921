package dev.binnacle.junit;

/** Why a server does not start, or does not do what it is asked for: mostly in the words of Binnacle. */
public final class BinnacleException extends RuntimeException {
  private static final long serialVersionUID = 1;

  BinnacleException(String message) {
    super(message);
  }

  BinnacleException(String message, Throwable cause) {
    super(message, cause);
  }
}
