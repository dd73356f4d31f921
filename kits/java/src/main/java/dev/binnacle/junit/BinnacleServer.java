package dev.binnacle.junit;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.StreamSupport;

/**
 * An API server in memory, on a free port. {@link BinnacleExtension} starts one for each test. Safe for use by several
 * threads. All methods throw {@link BinnacleException} when the server refuses, or has ended.
 */
public final class BinnacleServer implements AutoCloseable {
  private final ServerProcess process;
  private final String id;
  private final String url;
  private final String kubeconfig;
  private final AtomicBoolean hasStopped = new AtomicBoolean();

  /** A state of all objects of one server. */
  public record Snapshot(String id) {}

  private BinnacleServer(ServerProcess process, JsonObject started) {
    this.process = process;
    id = started.get("server").getAsString();
    url = started.get("url").getAsString();
    kubeconfig = started.get("kubeconfig").getAsString();
  }

  /** Starts a server, and returns when it is ready. */
  public static BinnacleServer start(ServerOptions options) {
    var process = ServerProcess.shared(Program.ofThisProcess().find(options.binary()));
    var files = new ArrayList<Path>();
    try {
      for (var definition : options.definitions()) {
        files.add(Files.writeString(Files.createTempFile("crd-", ".yaml"), definition));
      }
      var fields = new JsonObject();
      var flags = new JsonArray();
      options.flags().forEach(flags::add);
      fields.add("flags", flags);
      var definitions = absolute(options.crds());
      definitions.addAll(absolute(files));
      fields.add("definitions", definitions);
      return new BinnacleServer(process, process.call("start", fields));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } finally {
      for (var file : files) file.toFile().delete();
    }
  }

  /**
   * Starts a server with all objects of this one, and the same flags. It copies nothing, so that it takes milliseconds.
   * Neither server sees later writes to the other.
   */
  public BinnacleServer fork() {
    return new BinnacleServer(process, call("fork", new JsonObject()));
  }

  /** {@code https://host:port}. */
  public String url() {
    return url;
  }

  /** The kubeconfig of the administrator, text for any client. */
  public String kubeconfig() {
    return kubeconfig;
  }

  /** The path of a file with the kubeconfig, which is removed with the server. */
  public Path kubeconfigFile() {
    return Path.of(call("kubeconfigFile", new JsonObject()).get("path").getAsString());
  }

  /** Installs the CustomResourceDefinitions of files and folders, and returns when they are established. */
  public void installCrds(Path... paths) {
    call("installDefinitions", withPaths(paths));
  }

  /**
   * Applies the webhook configurations of files and folders, and CustomResourceDefinitions that convert by webhook. It
   * points their webhooks at a server of this process, on a free port, which is to listen at once.
   */
  public Webhooks installWebhooks(Path... paths) {
    return installWebhooks(withPaths(paths));
  }

  /** The same, for a webhook server that listens on an address of its own. */
  public Webhooks installWebhooksAt(String host, int port, Path... paths) {
    var fields = withPaths(paths);
    fields.addProperty("host", host);
    fields.addProperty("port", port);
    return installWebhooks(fields);
  }

  private Webhooks installWebhooks(JsonObject fields) {
    var installed = call("installWebhooks", fields);
    var directory = Path.of(installed.get("directory").getAsString());
    return new Webhooks(installed.get("host").getAsString(), installed.get("port").getAsInt(), directory);
  }

  /** Keeps the current state for {@link #reset}. */
  public Snapshot snapshot() {
    return new Snapshot(call("snapshot", new JsonObject()).get("snapshot").getAsString());
  }

  /**
   * Gives all objects the content that they had at the snapshot. Clients see ordinary events; versions never go down.
   */
  public void reset(Snapshot snapshot) {
    var fields = new JsonObject();
    fields.addProperty("snapshot", snapshot.id());
    call("reset", fields);
  }

  /** Makes requests fail, wait or break. */
  public ActiveFault injectFault(Fault fault) {
    var fields = new JsonObject();
    fields.add("rule", fault.rule());
    return new ActiveFault(this, call("addFault", fields).get("fault").getAsString());
  }

  /** The last lines of the server's log, one for each request. */
  public List<String> log() {
    var lines = call("log", new JsonObject()).getAsJsonArray("lines");
    return StreamSupport.stream(lines.spliterator(), false).map(line -> line.getAsString()).toList();
  }

  /** Ends the server and its watches, and returns when it has ended. It may be called again. */
  @Override
  public void close() {
    if (!hasStopped.getAndSet(true)) call("stop", new JsonObject());
  }

  @Override
  public String toString() {
    return "BinnacleServer[" + url + "]";
  }

  JsonObject call(String name, JsonObject fields) {
    var all = fields.deepCopy();
    all.addProperty("server", id);
    return process.call(name, all);
  }

  private static JsonObject withPaths(Path... paths) {
    var fields = new JsonObject();
    fields.add("paths", absolute(List.of(paths)));
    return fields;
  }

  /** For a process that may have another working directory. */
  private static JsonArray absolute(List<Path> paths) {
    var all = new JsonArray();
    for (var path : paths) all.add(path.toAbsolutePath().toString());
    return all;
  }
}
