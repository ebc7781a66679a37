import { expect, it } from 'vitest'
import { commandText } from '../../shell/commands/command.ts'
import { parseLine } from '../../shell/commands/parse.ts'
import { commandOfAddress } from './address-command.ts'

const BASE = 'http://127.0.0.1:4870'

it.each([
  ['/api/agent/world', 'WORLD'],
  ['/api/agent/world/geopolitics/iran', 'WORLD geopolitics/iran'],
  ['/api/agent/world?op=explain&item=s-4k2m9q', 'EXPLAIN s-4k2m9q'],
  ['/api/agent/world/iran?op=dispersion', 'DISP iran'],
  ['/api/agent/world/iran?op=history&dt=6h', 'IDX iran 6h'],
  ['/api/agent/world?op=history', 'IDX'],
  ['/api/agent/world/fed-rate?op=catalyst&window=30d', 'CATL fed-rate 30d'],
  ['/api/agent/world?op=trail&from=KXFED-26DEC', 'KXFED-26DEC TRAIL'],
  ['/api/agent/world/delta?since=1h', 'DELTA 1h'],
  ['/api/public/market/KXFED-26DEC/history', 'KXFED-26DEC HIST'],
  ['/api/public/market/KXFED-26DEC/candles?tf=1h', 'KXFED-26DEC GP'],
  ['/api/agent/inspect/KXFED-26DEC', 'KXFED-26DEC DES'],
])('%s opens with %s', (address, line) => {
  const command = commandOfAddress(`${BASE}${address}`)
  expect(command === null ? null : commandText(command)).toBe(line)
  expect(parseLine(line)).toEqual([command])
})

it.each([
  '/api/agent/world/feed',
  '/api/agent/world?op=explain',
  '/api/intents',
  'https://example.org/news',
  '/api/agent/world/%E0%A4%A',
  '/api/agent/inspect/%E0%A4%A',
])('no pane shows %s', (address) => {
  expect(commandOfAddress(address.startsWith('/') ? `${BASE}${address}` : address)).toBeNull()
})
