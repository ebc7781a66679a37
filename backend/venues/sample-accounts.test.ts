import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import type { SimulatorAddresses } from './connectors.ts'
import { openSampleAccounts } from './sample-accounts.ts'

/** A simulator that answers with a status, and the bodies it received by path. */
async function simulator(status: number) {
  const received = new Map<string, Record<string, unknown>>()
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => (text += chunk.toString()))
    request.on('end', () => {
      received.set(request.url ?? '', JSON.parse(text) as Record<string, unknown>)
      response.writeHead(status).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  return { received, addresses: { venueA: { baseUrl } } as SimulatorAddresses }
}

it('opens an account at each venue with the keys that it returns', async () => {
  const { received, addresses } = await simulator(200)
  const { venue_a: a, venue_b: b } = await openSampleAccounts('user-1', addresses)
  expect(received.get('/control/accounts')).toMatchObject({ keyId: 'sample-user-1', isNew: true })
  expect(received.get('/control/wallets')).toMatchObject({
    wallet: b.walletAddress,
    funder: b.walletAddress,
  })
  expect(a.keyId).toBe('sample-user-1')
  expect(b).toMatchObject({ signatureType: 0, funder: null, apiKey: null })
  expect(b.privateKey).toHaveLength(32)
})

it('fails when the simulator refuses an account', async () => {
  const { addresses } = await simulator(400)
  await expect(openSampleAccounts('user-1', addresses)).rejects.toThrow(
    'credentials for the sample were refused: 400',
  )
})
