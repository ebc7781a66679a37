/** First byte of an unfragmented text message (RFC 6455 5.2: FIN and opcode 1). */
const WHOLE_TEXT = 0x81

/**
 * Encodes a value as one unmasked WebSocket text message, header included. The buffer is shared by
 * all connections and never modified.
 */
export function frameBytes(value: object): Buffer {
  const text = JSON.stringify(value)
  const length = Buffer.byteLength(text)
  const header = length < 126 ? 2 : length < 65_536 ? 4 : 10
  const bytes = Buffer.allocUnsafe(header + length)
  bytes[0] = WHOLE_TEXT
  if (header === 2) bytes[1] = length
  else if (header === 4) {
    bytes[1] = 126
    bytes.writeUInt16BE(length, 2)
  } else {
    bytes[1] = 127
    bytes.writeBigUInt64BE(BigInt(length), 2)
  }
  bytes.write(text, header, 'utf8')
  return bytes
}
