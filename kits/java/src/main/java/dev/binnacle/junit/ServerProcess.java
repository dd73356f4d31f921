package dev.binnacle.junit;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * A process that runs servers: {@code binnacle test-servers}. It ends when its standard input closes, so also when this
 * JVM is killed. Safe for use by several threads.
 */
final class ServerProcess {
  /** How much of standard error is kept, in bytes. */
  private static final int MOST_TEXT = 16 * 1024;
  /** Processes by their commands, until they end. They stay as long as this JVM. */
  private static final Map<List<String>, ServerProcess> RUNNING = new HashMap<>();

  private final Process process;
  /** Guards its own writes. It is not the lock of the calls: a write may wait until answers are read. */
  private final OutputStream requests;
  private final Map<Long, CompletableFuture<Answer>> waiting = new HashMap<>();
  private long lastId;
  private boolean hasEnded;
  private byte[] errors = {};

  private record Answer(JsonObject result, String refusal) {}

  /**
   * The process of a command, which starts when there is none.
   *
   * @throws BinnacleException when it does not start
   */
  static ServerProcess shared(List<String> command) {
    synchronized (RUNNING) {
      var running = RUNNING.get(command);
      if (running == null || running.hasEnded()) {
        running = new ServerProcess(command);
        RUNNING.put(command, running);
      }
      return running;
    }
  }

  private ServerProcess(List<String> command) {
    var arguments = Stream.concat(command.stream(), Stream.of("test-servers")).toList();
    try {
      process = new ProcessBuilder(arguments).start();
    } catch (IOException error) {
      throw new BinnacleException("binnacle does not start: " + error.getMessage(), error);
    }
    requests = process.getOutputStream();
    var ofErrors = inBackground("binnacle errors", this::readErrors);
    inBackground("binnacle answers", () -> {
      readAnswers();
      end(ofErrors);
    });
  }

  /**
   * Resolves to the result of a call, and waits for it.
   *
   * @throws BinnacleException when Binnacle refuses the call, the process has ended, or this thread is interrupted; an
   *     interrupted call may still be carried out
   */
  JsonObject call(String name, JsonObject fields) {
    var answer = new CompletableFuture<Answer>();
    var request = fields.deepCopy();
    request.addProperty("call", name);
    synchronized (this) {
      if (hasEnded) throw ended();
      lastId += 1;
      request.addProperty("id", lastId);
      waiting.put(lastId, answer);
    }
    write(request + "\n");
    var got = await(answer);
    if (got.refusal != null) throw new BinnacleException(got.refusal);
    if (got.result == null) throw ended();
    return got.result;
  }

  private void write(String line) {
    synchronized (requests) {
      try {
        requests.write(line.getBytes(StandardCharsets.UTF_8));
        requests.flush();
      } catch (IOException closed) {
        // The process is about to end: `end` then answers all calls.
      }
    }
  }

  private static Answer await(CompletableFuture<Answer> answer) {
    try {
      return answer.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new BinnacleException("interrupted while binnacle works", interrupted);
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private void readAnswers() {
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) receive(line);
    } catch (IOException closed) {
      // The same as its end.
    }
  }

  private void receive(String line) {
    JsonObject got;
    try {
      got = JsonParser.parseString(line).getAsJsonObject();
    } catch (JsonParseException | IllegalStateException notAnAnswer) {
      return;
    }
    if (!got.has("id")) return;
    CompletableFuture<Answer> answer;
    synchronized (this) {
      answer = waiting.remove(got.get("id").getAsLong());
    }
    if (answer == null) return;
    var refusal = got.get("error");
    answer.complete(refusal == null
        ? new Answer(got.getAsJsonObject("result"), null)
        : new Answer(null, refusal.getAsString()));
  }

  private void readErrors() {
    var piece = new byte[4096];
    try (InputStream stream = process.getErrorStream()) {
      for (var size = stream.read(piece); size > 0; size = stream.read(piece)) keep(piece, size);
    } catch (IOException closed) {
      // The same as its end.
    }
  }

  private synchronized void keep(byte[] piece, int size) {
    var kept = Math.min(errors.length, MOST_TEXT - size);
    var text = new byte[kept + size];
    System.arraycopy(errors, errors.length - kept, text, 0, kept);
    System.arraycopy(piece, 0, text, kept, size);
    errors = text;
  }

  /** Answers all calls, when what the process wrote last has said why it has ended. */
  private void end(Thread ofErrors) {
    try {
      ofErrors.join();
    } catch (InterruptedException nobodyDoes) {
      Thread.currentThread().interrupt();
    }
    List<CompletableFuture<Answer>> left;
    synchronized (this) {
      hasEnded = true;
      left = List.copyOf(waiting.values());
      waiting.clear();
    }
    left.forEach(each -> each.complete(new Answer(null, null)));
    try {
      requests.close();
    } catch (IOException closed) {
      // It was closed by the process.
    }
  }

  private synchronized boolean hasEnded() {
    return hasEnded;
  }

  private synchronized BinnacleException ended() {
    return new BinnacleException("binnacle has ended: " + new String(errors, StandardCharsets.UTF_8).strip());
  }

  private static Thread inBackground(String name, Runnable work) {
    var thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
