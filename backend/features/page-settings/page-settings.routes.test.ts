import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PageSettings } from '../../contract/accounts.ts'
import { startTradingService, type TradingService } from '../../testing/trading-service.ts'

let service: TradingService
/** Credentials of a second user. */
let other: string
beforeAll(async () => {
  service = await startTradingService(null)
  other = await service.signUp()
})
afterAll(() => service.stop())

const PATH = '/api/terminal/settings'
const put = async (body: object): Promise<[number, PageSettings & { error: string }]> => {
  const { status, text } = await service.ask('PUT', PATH, body, service.authorization)
  return [status, JSON.parse(text) as PageSettings & { error: string }]
}
const stored = async (authorization = service.authorization): Promise<PageSettings> => {
  const { text } = await service.ask('GET', PATH, undefined, authorization)
  return JSON.parse(text) as PageSettings
}

it('[account.settings.kept] settings that are not sent stay, and belong to one user', async () => {
  expect(await stored()).toEqual({ settings: null, updatedAt: null })
  await put({ settings: { theme: 'light', scale: 1.25 } })
  const second = { density: 'compact', hiddenMarks: ['news'] }
  const [status, answer] = await put({ settings: second })
  expect([status, answer.settings]).toEqual([200, { theme: 'light', scale: 1.25, ...second }])
  expect(await stored()).toEqual(answer)
  expect(await stored(other)).toEqual({ settings: null, updatedAt: null })
  expect((await service.ask('GET', PATH, undefined, null)).status).toBe(401)
})

it.each([
  [{}, 'settings must be an object'],
  [{ settings: ['dark'] }, 'settings must be an object'],
  [{ settings: { note: 'x'.repeat(4_000) } }, 'settings must have at most 4000 characters of JSON'],
])('[account.settings.refused] settings %# are refused', async (body, fault) => {
  const [status, { error }] = await put(body)
  expect([status, error]).toEqual([400, expect.stringContaining(fault)])
})
