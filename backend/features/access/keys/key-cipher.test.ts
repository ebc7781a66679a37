import { describe, expect, it } from 'vitest'
import { openKey, sealKey } from './key-cipher.ts'

const SECRET = `svc_live_${'k'.repeat(43)}`
const TOKEN = 't'.repeat(43)

describe('an encrypted pending key', () => {
  // [login.cli.secrets]
  it('is decrypted by its token only', () => {
    const sealed = sealKey(SECRET, TOKEN)
    expect(openKey(sealed, TOKEN)).toBe(SECRET)
    expect(() => openKey(sealed, `${TOKEN}t`)).toThrow()
    expect(sealKey(SECRET, TOKEN)).not.toBe(sealed)
  })

  it('is not decrypted if a single byte was changed', () => {
    const sealed = Buffer.from(sealKey(SECRET, TOKEN), 'base64url')
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => openKey(changed.toString('base64url'), TOKEN)).toThrow()
    }
    expect(() => openKey(sealed.subarray(0, 20).toString('base64url'), TOKEN)).toThrow()
  })
})
