package dev.binnacle.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Reads the files of a webhook server: certificates, and a P-256 key as SEC 1, which the JDK does not read. */
final class ServingCertificate {
  private static final int INTEGER = 0x02;
  private static final int OCTET_STRING = 0x04;
  private static final int SEQUENCE = 0x30;
  /** The algorithm of the key: id-ecPublicKey, with prime256v1. */
  private static final byte[] P256 = HexFormat.of().parseHex("301306072a8648ce3d020106082a8648ce3d030107");

  private ServingCertificate() {}

  static SSLContext read(Path certificates, Path key) {
    try (var stream = Files.newInputStream(certificates)) {
      var chain = CertificateFactory.getInstance("X.509").generateCertificates(stream).toArray(Certificate[]::new);
      var store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("webhook", readKey(Files.readString(key)), new char[0], chain);
      var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(store, new char[0]);
      var context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (GeneralSecurityException error) {
      throw new BinnacleException("the certificate of the webhook server cannot be read: " + error.getMessage(), error);
    }
  }

  private static PrivateKey readKey(String pem) throws GeneralSecurityException {
    var sec1 = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
    var pkcs8 = der(SEQUENCE, der(INTEGER, new byte[1]), P256, der(OCTET_STRING, sec1));
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
  }

  /** A value in DER. The length has two bytes, as short as DER wants for 128 to 255, or one below that. */
  private static byte[] der(int tag, byte[]... parts) {
    var length = Stream.of(parts).mapToInt(part -> part.length).sum();
    var value = ByteBuffer.allocate(length + 3).put((byte) tag);
    if (length > 127) value.put((byte) 0x81);
    value.put((byte) length);
    for (var part : parts) value.put(part);
    return Arrays.copyOf(value.array(), value.position());
  }
}
