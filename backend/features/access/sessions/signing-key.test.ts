import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../lib/logger.ts'
import { openSigningKey } from './signing-key.ts'

describe('the key that signs sessions', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'augury-signing-key-'))
    path = join(folder, 'secrets', 'session.jwk')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const reopen = async (hadSessions = false) => {
    const replaced: string[] = []
    const onReplaced = (reason: string) => void replaced.push(reason)
    const { kid } = await openSigningKey(folder, silentLogger, { hadSessions, onReplaced })
    return { kid, replaced }
  }

  it('is unchanged, and is created without a notice in a new folder', async () => {
    const { kid, replaced } = await reopen()
    expect(replaced).toEqual([])
    expect(await reopen(true)).toEqual({ kid, replaced: [] })
  })

  it('is replaced and reported when its halves do not match', async () => {
    const { kid } = await reopen()
    const jwk = JSON.parse(readFileSync(path, 'utf8')) as { x: string }
    const x = `${jwk.x.startsWith('A') ? 'B' : 'A'}${jwk.x.slice(1)}`
    writeFileSync(path, JSON.stringify({ ...jwk, x }))
    const after = await reopen()
    expect(after.replaced).toEqual(['the session key was damaged'])
    expect(after.kid).not.toBe(kid)
    expect((await reopen(true)).replaced).toEqual([])
  })

  it('is reported when it is missing and there are sessions', async () => {
    expect((await reopen(true)).replaced).toEqual(['the session key is missing'])
  })
})
