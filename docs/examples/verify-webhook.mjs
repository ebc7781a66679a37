import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_S = 300

/** Whether a body was signed with the secret within five minutes of `now`, in seconds. */
export function verifySignature(header, rawBody, secret, now = Date.now() / 1000) {
  const parts = header.split(',').map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d+$/.test(time) || Math.abs(now - Number(time)) > TOLERANCE_S) return false
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest()
  return parts.some(([name, value]) => {
    const sent = Buffer.from(name === 'v1' ? (value ?? '') : '', 'hex')
    return sent.length === expected.length && timingSafeEqual(sent, expected)
  })
}

// node verify-webhook.mjs HEADER SECRET NOW < body
const [header, secret, now] = process.argv.slice(2)
if (header !== undefined && secret !== undefined) {
  const parts = []
  for await (const part of process.stdin) parts.push(part)
  const isValid = verifySignature(header, Buffer.concat(parts), secret, Number(now))
  process.exitCode = isValid ? 0 : 1
}
