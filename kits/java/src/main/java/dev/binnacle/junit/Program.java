package dev.binnacle.junit;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where Binnacle is.
 *
 * @param variables the environment of the tests
 * @param directory their working directory
 */
record Program(Map<String, String> variables, Path directory) {
  private static final String EXTENSION = File.separatorChar == '\\' ? ".exe" : "";
  private static final String NOT_FOUND = "binnacle was not found: set BINNACLE_PATH to the program, "
      + "put binnacle on the PATH, or run npm install binnacle in this folder or one above it";

  static Program ofThisProcess() {
    return new Program(System.getenv(), Path.of("").toAbsolutePath());
  }

  /**
   * The program and its first arguments. In this order: {@code named}; the environment variable
   * {@code BINNACLE_PATH}; {@code binnacle} on the PATH; the npm package in {@code node_modules} of the working
   * directory or a folder above it.
   *
   * @throws BinnacleException when there is none
   */
  List<String> find(Optional<Path> named) {
    var chosen = named.or(() -> variable("BINNACLE_PATH").map(Path::of)).map(directory::resolve);
    if (chosen.isPresent()) {
      if (!Files.exists(chosen.get())) throw new BinnacleException(chosen.get() + " does not exist");
      return withInterpreter(chosen.get());
    }
    var onPath = which("binnacle");
    if (onPath.isPresent()) return List.of(onPath.get().toString());
    return Stream.iterate(directory, folder -> folder != null, Path::getParent)
        .map(folder -> folder.resolve("node_modules/binnacle/bin/binnacle.js"))
        .filter(Files::exists)
        .findFirst()
        .map(this::withInterpreter)
        .orElseThrow(() -> new BinnacleException(NOT_FOUND));
  }

  private List<String> withInterpreter(Path path) {
    if (!path.toString().endsWith(".js")) return List.of(path.toString());
    var node = which("node")
        .orElseThrow(() -> new BinnacleException(path + " needs node, which is not on the PATH"));
    return List.of(node.toString(), path.toString());
  }

  private Optional<Path> which(String name) {
    return Stream.of(variable("PATH").orElse("").split(File.pathSeparator))
        .map(folder -> directory.resolve(folder).resolve(name + EXTENSION))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }

  private Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
  }
}
