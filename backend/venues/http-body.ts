/** The body was not valid JSON; `retryable` states whether a retry can help. */
export class BadBody extends Error {
  readonly retryable: boolean
  constructor(message: string, retryable: boolean, options?: ErrorOptions) {
    super(message, options)
    this.retryable = retryable
  }
}

/**
 * Reads a JSON body, bounded in bytes whatever the length header.
 * @throws BadBody when its type is not JSON, or it is too large, truncated or malformed
 */
export async function readJson(response: Response, maxBytes: number): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (!/\bjson\b/i.test(type)) {
    await response.body?.cancel()
    throw new BadBody(`the body was ${type === '' ? 'of unknown type' : type.slice(0, 60)}`, true)
  }
  // TextDecoder is six times slower for texts beyond ASCII.
  const text = (await readBytes(response, maxBytes)).toString('utf8')
  try {
    return JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text)
  } catch (cause) {
    throw new BadBody('the body was not valid JSON', true, { cause })
  }
}

const BYTE_ORDER_MARK = '\uFEFF'

async function readBytes(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw new BadBody(`the body was larger than ${maxBytes} bytes`, false)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
