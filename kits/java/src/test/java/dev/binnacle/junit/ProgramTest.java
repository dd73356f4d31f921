package dev.binnacle.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "programs have other names there")
class ProgramTest {
  @Test
  void eachPlaceTakesPrecedenceOverTheNext(@TempDir Path root) throws IOException {
    var directory = Files.createDirectories(root.resolve("project/module"));
    var variables = Map.of("PATH", root.resolve("bin").toString(), "BINNACLE_PATH", "");
    var program = new Program(variables, directory);
    assertTrue(refusal(program, Optional.empty()).contains("set BINNACLE_PATH"));

    var script = executable(root.resolve("project/node_modules/binnacle/bin/binnacle.js"));
    assertTrue(refusal(program, Optional.empty()).contains("needs node"));
    var node = executable(root.resolve("bin/node"));
    assertEquals(List.of(node, script), program.find(Optional.empty()));

    var onPath = executable(root.resolve("bin/binnacle"));
    assertEquals(List.of(onPath), program.find(Optional.empty()));

    var chosen = new Program(Map.of("PATH", root.resolve("bin").toString(), "BINNACLE_PATH", script), directory);
    assertEquals(List.of(node, script), chosen.find(Optional.empty()));

    var named = executable(directory.resolve("other"));
    assertEquals(List.of(named), chosen.find(Optional.of(Path.of("other"))));
    assertEquals(directory.resolve("none") + " does not exist", refusal(chosen, Optional.of(Path.of("none"))));
  }

  private static String refusal(Program program, Optional<Path> named) {
    return assertThrows(BinnacleException.class, () -> program.find(named)).getMessage();
  }

  private static String executable(Path path) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, "");
    assertTrue(path.toFile().setExecutable(true));
    return path.toString();
  }
}
