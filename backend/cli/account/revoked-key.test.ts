import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { environmentOf, runIn } from '../../testing/command-line.ts'
import { acquireService, type ServiceLease } from '../service/private-service.ts'

// The services are separate processes.
vi.setConfig({ testTimeout: 240_000 })

let home: string
let data: string
let agent: Agent
let service: ServiceLease | null
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'augury-revoked-')))
  data = join(home, 'data')
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
  service = null
})
afterEach(async () => {
  agent.destroy()
  await service?.release()
  rmSync(home, { recursive: true, force: true })
})

const augury = (...args: string[]) => runIn(environmentOf(home), args)

/** Sends a request on this program's only connection, and returns the connection. */
const ask = ({ url }: ServiceLease, key: string) =>
  new Promise<{ status: number; port: number | undefined }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` }
    const sent = httpRequest(`${url}/api/keys`, { headers, agent }, (answer) => {
      const { statusCode: status = 0, socket } = answer
      const port = socket.localPort
      answer.resume().on('end', () => resolve({ status, port }))
    })
    sent.on('error', reject)
    sent.end()
  })

describe('a key that augury keys revoked', () => {
  // [keys.service.revoked-in-every-process]
  it('is invalid in the running process from the next request, and in every later one', async () => {
    service = await acquireService(data, environmentOf(home), () => {})
    const make = async (name: string) => (await augury('keys', 'create', name)).out.trim()
    const [key, other] = [await make('agent'), await make('other')]
    // Cached by now, on a persistent connection.
    for (const _time of [1, 2, 3]) expect((await ask(service, key)).status).toBe(200)
    const before = await ask(service, key)

    const { keys } = JSON.parse((await augury('keys', '--json')).out) as {
      keys: { id: string; name: string }[]
    }
    const id = keys.find(({ name }) => name === 'agent')?.id ?? ''
    expect(await augury('keys', 'revoke', id, '--yes')).toMatchObject({ exit: 0 })
    expect(await ask(service, key)).toEqual({ status: 401, port: before.port })
    expect((await ask(service, other)).status).toBe(200)

    // Another process finds the folder locked, and calls the running service.
    const second = await acquireService(data, environmentOf(home), () => {})
    expect(second.url).toBe(service.url)

    await service.release()
    service = await acquireService(data, environmentOf(home), () => {})
    expect((await ask(service, key)).status).toBe(401)
    expect((await ask(service, other)).status).toBe(200)
  })
})
