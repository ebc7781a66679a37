import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { signatureOf } from './signature.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', 'docs', 'examples')
const NOW = 1_795_000_000_000 as Millis
const SECRET = `whsec_${'s'.repeat(43)}`
const BODY = JSON.stringify({ id: 'evt_1', data: { title: '“Fed” 25 bps €' } })

describe.each([
  [process.execPath, 'verify-webhook.mjs'],
  ['python3', 'verify_webhook.py'],
  ['bash', 'verify-webhook.sh'],
])('the example for %s', (program, file) => {
  const accepts = (header: string, body: string, secret = SECRET, laterS = 0): boolean => {
    const seconds = String(NOW / 1_000 + laterS)
    const args = [join(EXAMPLES, file), header, secret, seconds]
    const { status, stderr } = spawnSync(program, args, { input: body, encoding: 'utf8' })
    if (status !== 0 && status !== 1) throw new Error(stderr)
    return status === 0
  }
  const header = signatureOf([SECRET], BODY, NOW)

  it('[webhooks.signature.examples] accepts what was signed, by either secret of a rotation', () => {
    expect(accepts(header, BODY)).toBe(true)
    const both = signatureOf([`whsec_${'n'.repeat(43)}`, SECRET], BODY, NOW)
    expect(accepts(both, BODY)).toBe(true)
    expect(accepts(header, BODY, SECRET, 300)).toBe(true)
  })

  it('accepts no other body, secret, time or signature', () => {
    expect(accepts(header, `${BODY} `)).toBe(false)
    expect(accepts(header, BODY, `${SECRET}x`)).toBe(false)
    expect(accepts(header, BODY, SECRET, 301)).toBe(false)
    expect(accepts(header, BODY, SECRET, -301)).toBe(false)
    expect(accepts(header.replace('t=1', 't=2'), BODY)).toBe(false)
    expect(accepts(`t=${NOW / 1_000}`, BODY)).toBe(false)
    expect(accepts(`t=${NOW / 1_000},v1=`, BODY)).toBe(false)
    expect(accepts('v1=00', BODY)).toBe(false)
  })
})
