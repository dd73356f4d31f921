package dev.binnacle.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives each test of a class a server of its own, with what the annotation asks for. {@link BinnacleExtension} says
 * how. An annotation of your own may carry it. Paths are relative to the working directory.
 */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(BinnacleExtension.class)
public @interface Binnacle {
  /** Files and folders of CustomResourceDefinitions. */
  String[] crds() default {};

  /**
   * Files and folders of webhook configurations, which the tests serve. A parameter {@link Webhooks} says where: start
   * your server in a method {@code @BeforeAll}.
   */
  String[] webhooks() default {};

  /** Control loops to run: {@code *}, or names. Without it there are none, as with envtest. */
  String[] controllers() default {};

  /** The number of simulated nodes. They come with a scheduler. */
  int nodes() default 0;

  /** Other flags of {@code binnacle serve}, such as {@code --feature-gates=NAME=true}. */
  String[] flags() default {};

  /** The program. Without it: {@code BINNACLE_PATH}, the PATH, or the npm package. */
  String binary() default "";
}
