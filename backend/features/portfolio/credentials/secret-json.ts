/** A value of a JSON object: texts as bytes, so that a secret never becomes a string. */
export type JsonField = Buffer | number

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN, CLOSE] = [0x22, 0x5c, 0x3a, 0x2c, 0x7b, 0x7d]
const ESCAPES: ReadonlyMap<number, number> = new Map(
  ['""', '\\\\', '//', 'b\b', 'f\f', 'n\n', 'r\r', 't\t'].map((pair) => [
    pair.charCodeAt(0),
    pair.charCodeAt(1),
  ]),
)
const UNICODE_ESCAPE = 0x75

/**
 * Reads a JSON object of texts and numbers without making strings of its values. Strings of
 * JavaScript cannot be erased; each text is a buffer of its own, which the caller fills with zeros.
 * @throws Error that repeats nothing of the content, and erases what it has read
 */
export function readSecretJson(json: Buffer): Map<string, JsonField> {
  const fields = new Map<string, JsonField>()
  try {
    new Reader(json).readInto(fields)
    return fields
  } catch (error) {
    eraseFields(fields.values())
    throw error
  }
}

/** Fills texts with zeros. */
export function eraseFields(fields: Iterable<JsonField>): void {
  for (const value of fields) if (typeof value !== 'number') value.fill(0)
}

const malformedCredentials = (): Error =>
  new Error('the credentials are no JSON object of texts and numbers')

class Reader {
  readonly #json: Buffer
  #at = 0

  constructor(json: Buffer) {
    this.#json = json
  }

  readInto(fields: Map<string, JsonField>): void {
    this.#expect(OPEN)
    if (this.#skipSpace() !== CLOSE) {
      do {
        this.#skipSpace()
        const name = this.#text().toString('utf8')
        this.#expect(COLON)
        const value = this.#skipSpace() === QUOTE ? this.#text() : this.#number()
        eraseFields([fields.get(name) ?? 0])
        fields.set(name, value)
      } while (this.#skipSpace() === COMMA && ++this.#at > 0)
    }
    this.#expect(CLOSE)
    if (this.#skipSpace() !== undefined) throw malformedCredentials()
  }

  #skipSpace(): number | undefined {
    while ([0x20, 0x09, 0x0a, 0x0d].includes(this.#json[this.#at] ?? 0)) this.#at++
    return this.#json[this.#at]
  }
  #expect(byte: number): void {
    if (this.#skipSpace() !== byte) throw malformedCredentials()
    this.#at++
  }
  #next(): number {
    const byte = this.#json[this.#at++]
    if (byte === undefined || byte < 0x20) throw malformedCredentials()
    return byte
  }

  #number(): number {
    const from = this.#at
    while (/[-+.0-9eE]/.test(String.fromCharCode(this.#json[this.#at] ?? 0))) this.#at++
    const value = Number(this.#json.toString('latin1', from, this.#at))
    if (from === this.#at || !Number.isFinite(value)) throw malformedCredentials()
    return value
  }

  /** A text's bytes in UTF-8; no escape is shorter than the character it means. */
  #text(): Buffer {
    this.#expect(QUOTE)
    const bytes = Buffer.alloc(this.#length())
    try {
      let length = 0
      for (let byte = this.#next(); byte !== QUOTE; byte = this.#next()) {
        if (byte === BACKSLASH) length += this.#escape(bytes, length)
        else bytes[length++] = byte
      }
      const exact = Buffer.alloc(length)
      bytes.copy(exact, 0, 0, length)
      return exact
    } finally {
      bytes.fill(0)
    }
  }

  /** Writes the character of an escape; returns its number of bytes. */
  #escape(output: Buffer, at: number): number {
    const escape = this.#next()
    if (escape === UNICODE_ESCAPE) return output.write(this.#escapedCharacter(), at, 'utf8')
    const character = ESCAPES.get(escape)
    if (character === undefined) throw malformedCredentials()
    output[at] = character
    return 1
  }

  /** Bytes up to the closing quote. */
  #length(): number {
    for (let index = this.#at; ; index++) {
      const byte = this.#json[index]
      if (byte === undefined) throw malformedCredentials()
      if (byte === QUOTE) return index - this.#at
      if (byte === BACKSLASH) index++
    }
  }

  /** One character of `\uXXXX`, or of a pair of them; its characters are no part of a secret. */
  #escapedCharacter(): string {
    const first = this.#hex()
    const isHigh = first >= 0xd800 && first < 0xdc00
    const isPair =
      isHigh && this.#json[this.#at] === BACKSLASH && this.#json[this.#at + 1] === UNICODE_ESCAPE
    if (!isPair) return String.fromCharCode(first)
    this.#at += 2
    return String.fromCharCode(first, this.#hex())
  }
  #hex(): number {
    const digits = this.#json.toString('latin1', this.#at, this.#at + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw malformedCredentials()
    this.#at += 4
    return Number.parseInt(digits, 16)
  }
}
