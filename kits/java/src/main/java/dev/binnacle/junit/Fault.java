package dev.binnacle.junit;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.time.Duration;
import java.util.Locale;

/**
 * Makes requests fail, or slows them down: {@code Fault.answer(409).verb("update").resource("configmaps").times(2)}.
 * Parts of the path that are not set match everything. Each method returns another fault, and leaves this one as it is.
 */
public final class Fault {
  private final JsonObject rule;

  /** How a fault ends a watch. */
  public enum WatchEnding {
    /** An ordinary end, like a timeout. */
    END,
    /** A connection error. */
    BREAK,
    /** An event with 410. */
    EXPIRE
  }

  private Fault(JsonObject rule) {
    this.rule = rule;
  }

  /** Refuses the request with the Status of an HTTP code, such as 409, and does not carry it out. */
  public static Fault answer(int code) {
    var action = ofType("answer");
    action.addProperty("code", code);
    return of(action);
  }

  /** Makes the request wait first, in whole milliseconds. */
  public static Fault delay(Duration time) {
    var action = ofType("delay");
    action.addProperty("milliseconds", time.toMillis());
    return of(action);
  }

  /** Closes the connection without an answer. */
  public static Fault dropConnection() {
    return of(ofType("drop"));
  }

  /** Ends a watch after this many more events. */
  public static Fault cutWatch(int afterEvents, WatchEnding how) {
    var action = ofType("cutWatch");
    action.addProperty("afterEvents", afterEvents);
    action.addProperty("how", how.name().toLowerCase(Locale.ROOT));
    return of(action);
  }

  /** Stops the cache of a resource until the fault is removed: watches are silent, and reads may be stale. */
  public static Fault holdCache() {
    return of(ofType("holdCache"));
  }

  /**
   * Any action, as a JSON object: <code>{"type": "answer", "code": 429, "retryAfterSeconds": 3}</code>.
   *
   * @throws IllegalArgumentException when it is not a JSON object
   */
  public static Fault action(String json) {
    try {
      return of(JsonParser.parseString(json).getAsJsonObject());
    } catch (JsonParseException | IllegalStateException error) {
      throw new IllegalArgumentException("the action is not a JSON object: " + json, error);
    }
  }

  /** Matches a verb: get, list, watch, create, update, patch, delete or deletecollection. */
  public Fault verb(String verb) {
    return matching("verb", verb);
  }

  /** Matches an API group; the core group is the empty string. */
  public Fault group(String group) {
    return matching("group", group);
  }

  /** Matches a version of the group. */
  public Fault version(String version) {
    return matching("version", version);
  }

  /** Matches a resource, by its plural. */
  public Fault resource(String resource) {
    return matching("resource", resource);
  }

  /** Matches a subresource. */
  public Fault subresource(String subresource) {
    return matching("subresource", subresource);
  }

  /** Matches a namespace. */
  public Fault namespace(String namespace) {
    return matching("namespace", namespace);
  }

  /** Matches the name of an object. A create has none. */
  public Fault name(String name) {
    return matching("name", name);
  }

  /** Matches the name of the user. */
  public Fault user(String user) {
    return matching("user", user);
  }

  /** How often the fault acts. Without it: until it is removed. */
  public Fault times(int times) {
    var changed = rule.deepCopy();
    changed.addProperty("times", times);
    return new Fault(changed);
  }

  JsonObject rule() {
    return rule;
  }

  private Fault matching(String field, String value) {
    var changed = rule.deepCopy();
    changed.getAsJsonObject("match").addProperty(field, value);
    return new Fault(changed);
  }

  private static Fault of(JsonObject action) {
    var rule = new JsonObject();
    rule.add("match", new JsonObject());
    rule.add("action", action);
    return new Fault(rule);
  }

  private static JsonObject ofType(String type) {
    var action = new JsonObject();
    action.addProperty("type", type);
    return action;
  }
}
