import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DAY, type Millis } from '../../backend/domain/units.ts'
import { createMessagesStore } from '../../backend/features/forum/messages.store.ts'
import { openState } from '../../backend/state/open.ts'
import { NOON } from '../../backend/testing/builders.ts'
import { addUser } from '../../backend/testing/users.ts'
import type { BenchRow } from '../bench-row.ts'
import { inTurns } from '../rounds.ts'
import { inScratch } from '../scratch-history.ts'

const PAGE = 50
const DEEP_PAGE = 1_000
const MESSAGES = PAGE * (DEEP_PAGE + 200)
const ROUNDS = 9
const POLLS = 50
const USER = 'usr_bench'
const CHANNELS = ['signals', 'edges', 'analysis', 'coordination', 'general']
const timeOf = (n: number): Millis => (NOON - MESSAGES + n) as Millis

/** Page 1,000 of the messages of the forum beside page 1. */
export const pollRow = (): Promise<BenchRow> =>
  inScratch(async (folder) => {
    const path = join(folder, 'state.sqlite')
    const state = await openState(path)
    await addUser(state, USER)
    fill(path)
    const messages = createMessagesStore(state)
    const filter = { channels: null, ticker: null }
    const timed = (after: Millis | null) => async (): Promise<number> => {
      const began = process.cpuUsage()
      for (let n = 0; n < POLLS; n += 1) {
        const page = await messages.poll(filter, after, PAGE + 1, NOON)
        if (page.messages.length !== PAGE + 1) throw new Error('the page is short')
      }
      const { user, system } = process.cpuUsage(began)
      return (user + system) / 1_000 / POLLS
    }
    const deep = timeOf(PAGE * (DEEP_PAGE - 1) - 1)
    const { ours, baseline, ratio, spread } = await inTurns(timed(deep), timed(null), ROUNDS)
    await state.destroy()
    return {
      name: `forum poll, page ${DEEP_PAGE} of ${MESSAGES} messages, against page 1`,
      ours,
      baseline,
      unit: 'ms of processor',
      ratio,
      goal: '≤ 1.2 ×',
      note: `${ROUNDS} rounds, ratio spread ${(spread * 100).toFixed(0)} %`,
    }
  })

function fill(path: string): void {
  const database = new DatabaseSync(path)
  const insert = database.prepare(
    'INSERT INTO forum_message (created_at, id, channel_id, expires_at, user_id, agent_id, author_id, type, record) VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?)',
  )
  const record = JSON.stringify({
    content: 'The price moved by three cents within a minute.',
    payload: { price: 41, delta: 3 },
    tickers: ['KXBENCH-1'],
    replyTo: null,
  })
  database.exec('BEGIN')
  for (let n = 0; n < MESSAGES; n += 1) {
    const channel = CHANNELS[n % CHANNELS.length] ?? 'general'
    insert.run(timeOf(n), `msg_${n}`, channel, NOON + DAY, USER, USER, 'signal', record)
  }
  database.exec('COMMIT')
  database.close()
}
