import '../../../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toBase64Url } from '../../../../backend/domain/credentials/base64url.ts'
import { envelopeParts, uploadAad } from '../../../../backend/domain/credentials/envelope.ts'
import { refused, type Sent, type Writes } from '../../../testing/page-under-test.ts'
import { config, show } from '../../../testing/portfolio.ts'
import { AT } from '../../../testing/signed-in.svelte.ts'
import SecretPane from './SecretPane.svelte'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const PEM = `-----BEGIN PRIVATE KEY-----\n${'canary'.repeat(8)}\n-----END PRIVATE KEY-----`
const KEY = new Uint8Array(32).fill(7)
const ISSUED = {
  uploadId: 'up_1',
  venue: 'venue_a',
  alg: 'AES-256-GCM',
  salt: toBase64Url(new Uint8Array(16).fill(3)),
  key: toBase64Url(KEY),
  aad: uploadAad('usr_1', 'venue_a', 'up_1'),
  expiresAt: AT,
}
const answers: Writes = ({ path }) => ({
  ok: true,
  body: path.endsWith('/key') ? ISSUED : { ok: true, venue: 'venue_a', updatedAt: AT },
})
const STORED = { ...config, credentialsUpdatedAt: { venue_a: AT, venue_b: null } }

/** Real encryption takes real time. */
const settle = async () => {
  for (let left = 20; left > 0; left--) {
    await globalThis.crypto.subtle.digest('SHA-256', KEY)
    await vi.advanceTimersByTimeAsync(20)
  }
}
const kalshi = () => within(screen.getByRole('region', { name: 'Kalshi' }))
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name)
const typeKeys = async (pem = PEM) => {
  await fireEvent.click(kalshi().getByRole('button', { name: /Add|Replace/ }))
  await fireEvent.input(field(/^Key ID/), { target: { value: 'key-1' } })
  await fireEvent.input(field(/^Private key/), { target: { value: pem } })
  await fireEvent.submit(screen.getByRole('form'))
}
const send = async (word = 'send') => {
  const strip = within(screen.getByRole('alertdialog'))
  await fireEvent.input(strip.getByRole('textbox'), { target: { value: word } })
  await fireEvent.click(strip.getByRole('button', { name: 'Encrypt and send' }))
  await settle()
}
async function opened({ body }: Sent): Promise<unknown> {
  const parts = envelopeParts((body as { envelope: string }).envelope)
  if ('problem' in parts) throw new Error(parts.problem)
  const { nonce: iv, ciphertext, tag } = parts
  const { subtle } = globalThis.crypto
  const key = await subtle.importKey('raw', KEY, 'AES-GCM', false, ['decrypt'])
  const additionalData = new TextEncoder().encode(ISSUED.aad)
  const sealed = new Uint8Array([...ciphertext, ...tag])
  const bytes = await subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, sealed)
  return JSON.parse(new TextDecoder().decode(bytes))
}

describe('credentials [terminal.portfolio.secrets]', () => {
  it('are explained, confirmed by a word, encrypted, sent and cleared', async () => {
    const { sent, terminal } = await show(SecretPane, 'SECRET', { config }, answers)
    expect(kalshi().getByText('No credentials stored')).toBeTruthy()
    await typeKeys()
    expect(sent).toEqual([])
    expect(screen.getByRole('alertdialog').textContent).toContain(
      'encrypts the credentials for Kalshi',
    )
    await send('yes')
    expect(sent).toEqual([])
    await send()
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/portfolio/secrets/key',
      'POST /api/portfolio/secrets',
    ])
    expect(sent[0]?.body).toEqual({ venue: 'venue_a' })
    expect(sent[1]?.body).toMatchObject({ venue: 'venue_a', uploadId: 'up_1' })
    if (sent[1] !== undefined) {
      expect(await opened(sent[1])).toEqual({ keyId: 'key-1', privateKeyPem: PEM })
    }
    expect(JSON.stringify(sent)).not.toContain('canary')
    expect(terminal.notice?.text).toBe('Credentials for Kalshi stored')
    expect(screen.queryByRole('form')).toBeNull()
  })

  it('are cleared when the service refuses them, and nothing is kept', async () => {
    await show(SecretPane, 'SECRET', { config }, ({ path }) =>
      path.endsWith('/key') ? { ok: true, body: ISSUED } : refused(410, 'EXPIRED', 'expired'),
    )
    await typeKeys()
    await send()
    expect(screen.getByRole('alert').textContent).toContain('Enter the key again')
    expect([field(/^Private key/).value, field(/^Key ID/).value]).toEqual(['', 'key-1'])
    expect(JSON.stringify(Object.entries(localStorage)) + document.body.innerHTML).not.toContain(
      'canary',
    )
  })

  it('that are too long to encrypt are reported, and cleared', async () => {
    const { sent } = await show(SecretPane, 'SECRET', { config }, answers)
    const lines = `${'A'.repeat(64)}\n`.repeat(300)
    await typeKeys(`-----BEGIN PRIVATE KEY-----\n${lines}-----END PRIVATE KEY-----`)
    await send()
    expect(screen.getByRole('alert').textContent).toContain('the credentials are too long')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(field(/^Private key/).value).toBe('')
    expect(sent.map(({ path }) => path)).toEqual(['/api/portfolio/secrets/key'])
  })

  it('are not read from a file that is too large for a key', async () => {
    await show(SecretPane, 'SECRET', { config }, answers)
    await fireEvent.click(kalshi().getByRole('button', { name: 'Add' }))
    const file = new File(['x'.repeat(16 * 1024 + 1)], 'video.pem')
    await fireEvent.change(field(/^File of the private key/), { target: { files: [file] } })
    await settle()
    expect(screen.getByRole('alert').textContent).toBe(
      'The file is larger than 16 kB. Choose the file of the key.',
    )
    expect(field(/^Private key/).value).toBe('')
  })

  it('that are stored after the pane was closed are reported', async () => {
    const { terminal } = await show(SecretPane, 'SECRET', { config }, answers)
    await typeKeys()
    const strip = within(screen.getByRole('alertdialog'))
    await fireEvent.input(strip.getByRole('textbox'), { target: { value: 'send' } })
    await fireEvent.click(strip.getByRole('button', { name: 'Encrypt and send' }))
    cleanup()
    await settle()
    expect(terminal.notice?.text).toBe('Credentials for Kalshi stored')
  })

  it('are checked before anything is sent', async () => {
    const { sent } = await show(SecretPane, 'SECRET', { config }, answers)
    await typeKeys('not a key')
    await vi.advanceTimersByTimeAsync(50)
    expect(screen.getByRole('alert').textContent).toContain('must be a private key in PEM')
    expect(field(/^Private key/).getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(field(/^Private key/))
    expect([screen.queryByRole('alertdialog'), sent]).toEqual([null, []])
  })

  it('are not sent by a page that cannot encrypt', async () => {
    vi.stubGlobal('crypto', {})
    const { sent } = await show(SecretPane, 'SECRET', { config }, answers)
    await typeKeys()
    expect(screen.getByRole('alert').textContent).toContain('cannot encrypt')
    expect(sent).toEqual([])
  })

  it('are read from a file', async () => {
    await show(SecretPane, 'SECRET', { config }, answers)
    await fireEvent.click(kalshi().getByRole('button', { name: 'Add' }))
    const chooser = field(/^File of the private key/)
    const file = new File([PEM], 'key.pem')
    await fireEvent.change(chooser, { target: { files: [file] } })
    await settle()
    expect(field(/^Private key/).value).toBe(PEM)
  })

  it('are shown with their time, and deleted after a typed word', async () => {
    const { sent } = await show(SecretPane, 'SECRET', { config: STORED }, answers)
    expect(kalshi().getByText(/^Stored /)).toBeTruthy()
    await fireEvent.click(kalshi().getByRole('button', { name: 'Delete' }))
    const strip = within(screen.getByRole('alertdialog'))
    await fireEvent.input(strip.getByRole('textbox'), { target: { value: 'delete' } })
    await fireEvent.click(strip.getByRole('button', { name: 'Delete credentials' }))
    await settle()
    expect(sent).toEqual([
      { method: 'DELETE', path: '/api/portfolio/secrets', body: { venue: 'venue_a' } },
    ])
  })
})
