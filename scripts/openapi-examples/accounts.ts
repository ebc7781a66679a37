import type { WholeService } from '../../backend/testing/whole-service.ts'
import type { Body, RecordExample } from './recorder.ts'

const ACCOUNT = { email: 'mary@example.com', password: 'correct horse battery' }

type Headers = Readonly<Record<string, string>>
export const cookieHeaders = (cookie: string): Headers => ({
  cookie,
  origin: 'http://augury.test',
})

async function signIn(service: WholeService): Promise<Headers> {
  const { headers } = await service.ask('/api/auth/signin', {
    method: 'POST',
    body: JSON.stringify(ACCOUNT),
  })
  return cookieHeaders((headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '')
}

/** Accounts, sessions, keys and providers. @returns the headers of a session of the new account */
export async function recordAccounts(
  record: RecordExample,
  service: WholeService,
  launch: Headers,
): Promise<Headers> {
  await record('auth.signup', { request: ACCOUNT })
  await record('auth.signin', { request: ACCOUNT })
  const mary = await signIn(service)
  await record('auth.changeMe', { request: { name: 'Mary' }, headers: mary })
  const { ticket } = await record('auth.local', { headers: launch })
  await record('auth.exchange', { request: { ticket: String(ticket) }, headers: {} })
  const sessions = (await record('auth.sessions', { headers: mary }))['sessions'] as Body[]
  const other = sessions.find(({ current }) => current === false)
  await record('auth.endSession', { parameters: { id: String(other?.['id']) }, headers: mary })
  const users = (await record('users.list'))['data'] as Body[]
  const user = users.find(({ email }) => email === ACCOUNT.email)
  await record('users.change', {
    parameters: { id: String(user?.['id']) },
    request: { tier: 'pro' },
  })
  const sessionToken = '4b1d0c9f8a7e6d5c4b3a29180f7e6d5c'
  await record('auth.cli.begin', { request: { sessionToken } })
  await record('auth.cli.complete', { request: { sessionToken }, headers: mary })
  await record('auth.cli.poll', { parameters: { token: sessionToken } })
  for (const space of ['keys', 'dataKeys']) {
    const { id } = await record(`${space}.create`, { request: { name: 'agent' } })
    await record(`${space}.revoke`, { parameters: { id: String(id) } })
    await record(`${space}.list`)
  }
  const provider = { parameters: { name: 'llm' } }
  await record('providers.put', {
    ...provider,
    request: { url: 'https://models.example.com/v1', models: { cheap: 'small' } },
  })
  await record('providers.get', provider)
  await record('providers.delete', provider)
  return mary
}

/** The sign-out and the end of the account that `recordAccounts` opened. */
export async function recordAccountEnd(
  record: RecordExample,
  service: WholeService,
  mary: Headers,
): Promise<void> {
  await record('auth.signout', { request: { all: true }, headers: mary })
  const headers = await signIn(service)
  await record('auth.deleteMe', { request: { confirm: 'delete my account' }, headers })
}
