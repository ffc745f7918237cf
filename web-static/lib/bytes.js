// Bytes as text.
export const hexOf = (buffer) => Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
export const bytesOfHex = (hex) => Uint8Array.from(hex.match(/../g), (byte) => parseInt(byte, 16));

// Reads a zero-terminated text from an engine's memory.
export function textAt({ buffer }, at) {
  const bytes = new Uint8Array(buffer, at);
  return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}
