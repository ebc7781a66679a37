import { describe, expect, it } from 'vitest'
import { openSealed, sealText } from './sealed-text.ts'

const SECRET = `svc_live_${'k'.repeat(43)}`
const TOKEN = 't'.repeat(43)
const PURPOSE = 'augury cli login: key that waits'

describe('a sealed text', () => {
  // [login.cli.secrets]
  it('is opened by its token and for its purpose only', () => {
    const sealed = sealText(SECRET, TOKEN, PURPOSE)
    expect(openSealed(sealed, TOKEN, PURPOSE)).toBe(SECRET)
    expect(() => openSealed(sealed, `${TOKEN}t`, PURPOSE)).toThrow()
    expect(() => openSealed(sealed, TOKEN, 'augury webhook secret')).toThrow()
    expect(sealText(SECRET, TOKEN, PURPOSE)).not.toBe(sealed)
  })

  it('is not opened if a single byte was changed', () => {
    const sealed = Buffer.from(sealText(SECRET, TOKEN, PURPOSE), 'base64url')
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(() => openSealed(changed.toString('base64url'), TOKEN, PURPOSE)).toThrow()
    }
    expect(() => openSealed(sealed.subarray(0, 20).toString('base64url'), TOKEN, PURPOSE)).toThrow()
  })
})
