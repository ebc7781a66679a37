import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../domain/units.ts'
import { silentLogger } from '../lib/logger.ts'
import { openDurableState } from './durable-state.ts'
import { createFeedsStore } from './feeds.store.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis

describe('operational rows that are damaged', () => {
  let folder: string
  let killed: string
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'augury-durable-'))
    killed = join(folder, 'killed')
    const live = join(folder, 'live')
    cpSync(mkdtempSync(join(folder, 'empty-')), live, { recursive: true })
    const first = await openDurableState(join(live, 'state.sqlite'), NOW, silentLogger)
    await createFeedsStore(first.state).save('venue_a', { tradesUntil: 5 as Millis })
    await first.close()
    const second = await openDurableState(join(live, 'state.sqlite'), NOW, silentLogger)
    await createFeedsStore(second.state).save('venue_b', { tradesUntil: 7 as Millis })
    cpSync(live, killed, { recursive: true })
    await second.close()
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const reopen = async () => {
    const opened = await openDurableState(join(killed, 'state.sqlite'), NOW, silentLogger)
    const feeds = createFeedsStore(opened.state)
    const until = [
      (await feeds.progressOf('venue_a')).tradesUntil,
      (await feeds.progressOf('venue_b')).tradesUntil,
    ]
    await opened.close()
    return { damage: opened.damage, until }
  }
  const turn = (name: string, at: (size: number) => number): void => {
    const path = join(killed, name)
    const content = readFileSync(path)
    const place = at(content.length)
    content[place] = (content[place] ?? 0) ^ 0x10
    writeFileSync(path, content)
  }

  it('are as they were after a kill', async () => {
    expect(await reopen()).toEqual({ damage: null, until: [5, 7] })
  })

  it('come back whole from the copy and the log when the file changed', async () => {
    turn('state.sqlite', (size) => size - 3)
    const { damage, until } = await reopen()
    expect(until).toEqual([5, 7])
    expect(damage?.summary).toMatch(/its copy took its place. Nothing is lost/)
    expect(readdirSync(killed)).toContain('state.sqlite.corrupt-2026-11-20T140000Z')
  })

  it('tell what a damaged log lost', async () => {
    turn('state.sqlite-wal', () => 40)
    const { damage, until } = await reopen()
    expect(until).toEqual([5, null])
    expect(damage?.summary).toMatch(/changes after the damaged place are lost/)
  })
})
