import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigProblem, readConfig, usage, type Config } from './config.ts'

const HOME = { HOME: '/home/ann' }
const read = (argv: readonly string[], env: Record<string, string> = {}) =>
  readConfig(argv, { ...HOME, ...env }, 'linux')

describe('the configuration', () => {
  it('is complete without a flag or a variable', () => {
    expect(read([])).toEqual({
      host: '127.0.0.1',
      port: 4_870,
      dataDir: '/home/ann/.local/share/augury',
      source: 'auto',
      seed: 1,
      demoMarkets: 2_000,
      roles: new Set(['api', 'ingest', 'worker']),
      urls: { base: null, data: null, ws: null, app: null },
      webhookAllowLoopback: false,
      logLevel: 'info',
      fairUse: null,
      trustedProxy: null,
      languageModel: null,
      notifications: { smtp: null, telegram: null },
      exportDirs: [],
      keyStore: 'auto',
      venueKeys: {},
      signup: 'open',
      identityProvider: null,
    })
  })

  it.each<[string, string, Partial<Config>]>([
    ['port', '0', { port: 0 }],
    ['host', '::1', { host: '::1' }],
    ['data', '/srv/augury', { dataDir: '/srv/augury' }],
    ['data', 'mine', { dataDir: resolve('mine') }],
    ['source', 'demo', { source: 'demo' }],
    ['source', 'DEMO', { source: 'demo' }],
    ['seed', '4294967295', { seed: 4_294_967_295 }],
    ['demo-markets', '50', { demoMarkets: 50 }],
    ['roles', 'api, worker', { roles: new Set(['api', 'worker']) }],
    ['log-level', 'debug', { logLevel: 'debug' }],
    ['webhook-allow-loopback', 'on', { webhookAllowLoopback: true }],
    ['webhook-allow-loopback', 'off', { webhookAllowLoopback: false }],
  ])('reads %s=%s as a flag and as a variable', (flag, value, expected) => {
    const variable = `AUGURY_${flag.replaceAll('-', '_').toUpperCase()}`
    expect(read([`--${flag}=${value}`])).toMatchObject(expected)
    expect(read([], { [variable]: value })).toMatchObject(expected)
  })

  it('reads an attached value, and a switch without a value', () => {
    const config = read(['--webhook-allow-loopback', '--port', '81', '--source', 'none'])
    expect(config).toMatchObject({ webhookAllowLoopback: true, port: 81, source: 'none' })
  })

  it('reads addresses without their last slash', () => {
    const argv = ['--base-url', 'https://augury.example/', '--ws-url=wss://augury.example/v1']
    const env = { AUGURY_DATA_URL: 'http://10.0.0.1:99', AUGURY_APP_URL: '' }
    expect(read(argv, env).urls).toEqual({
      base: 'https://augury.example',
      data: 'http://10.0.0.1:99',
      ws: 'wss://augury.example/v1',
      app: null,
    })
  })

  it('lets flags win, and the last of two', () => {
    const env = { AUGURY_PORT: '1000', AUGURY_SOURCE: 'live', AUGURY_SEED: '' }
    expect(read(['--port', '2000', '--port=3000'], env)).toMatchObject({
      port: 3_000,
      source: 'live',
      seed: 1,
    })
    expect(read(['--port', '2000'], { AUGURY_PORT: 'bad' }).port).toBe(2_000)
  })

  it.each<[string, string]>([
    ['100', '100'],
    ['off', 'off'],
  ])('reads the fair-use limit of %s', (text, expected) => {
    expect(String(read([], { AUGURY_FAIR_USE: text }).fairUse)).toBe(expected)
  })

  it('reads the key pair of each venue whose sockets need one', () => {
    const keys = { AUGURY_VENUE_A_KEY_ID: 'id', AUGURY_VENUE_A_PRIVATE_KEY_PATH: '/keys/a.pem' }
    expect(read([], keys).venueKeys).toEqual({
      venue_a: { keyId: 'id', privateKeyPath: '/keys/a.pem' },
    })
  })

  it('puts the key of the installation in the keychain unless a setting names the file', () => {
    expect(read([], {}).keyStore).toBe('auto')
    expect(read([], { AUGURY_KEY_STORE: 'file' }).keyStore).toBe('file')
    expect(() => read([], { AUGURY_KEY_STORE: 'safe' })).toThrow('AUGURY_KEY_STORE')
  })

  it('takes folders for exports as in PATH', () => {
    expect(read([], { AUGURY_EXPORT_DIRS: '/srv/out:/home/ann/data' }).exportDirs).toEqual([
      '/srv/out',
      '/home/ann/data',
    ])
    expect(() => read([], { AUGURY_EXPORT_DIRS: '/srv/out:data' })).toThrow(
      'AUGURY_EXPORT_DIRS must list absolute paths of folders, was "data"',
    )
  })

  // [auth.signup.open-on-loopback]
  it.each([
    ['127.0.0.1', '', 'open'],
    ['127.9.9.9', '', 'open'],
    ['localhost', '', 'open'],
    ['::1', '', 'open'],
    ['0.0.0.0', '', 'closed'],
    ['192.168.1.2', '', 'closed'],
    ['127.example', '', 'closed'],
    ['0.0.0.0', 'open', 'open'],
    ['127.0.0.1', 'CLOSED', 'closed'],
  ])('on %s with AUGURY_SIGNUP=%s has signup %s', (host, word, expected) => {
    expect(read(['--host', host], { AUGURY_SIGNUP: word }).signup).toBe(expected)
  })

  it('accepts an identity provider by issuer, audience and keys', () => {
    const provider = {
      AUGURY_IDP_ISSUER: 'https://id.example/',
      AUGURY_IDP_AUDIENCE: 'augury',
      AUGURY_IDP_JWKS_URL: 'http://127.0.0.1:9/keys',
    }
    // An issuer is compared exactly, including its trailing slash.
    expect(read([], provider).identityProvider).toEqual({
      issuer: 'https://id.example/',
      audience: 'augury',
      jwksUrl: 'http://127.0.0.1:9/keys',
    })
    for (const name of Object.keys(provider)) {
      expect(() => read([], { ...provider, [name]: '' })).toThrow('must be set together')
    }
    for (const name of ['AUGURY_IDP_ISSUER', 'AUGURY_IDP_JWKS_URL']) {
      for (const bad of ['http://id.example', 'http://127.0.0.1.id.example', 'file:///k', 'x']) {
        expect(() => read([], { ...provider, [name]: bad })).toThrow(
          `${name} must be an https address, or http on this machine, was "${bad}"`,
        )
      }
    }
  })

  // [auth.session.one-site]
  it('keeps the page on one site with the service', () => {
    expect(read(['--app-url', 'http://127.0.0.1:5173']).urls.app).toBe('http://127.0.0.1:5173')
    const apart = ['--base-url', 'https://api.desk.example', '--app-url', 'https://desk.test']
    expect(() => read(apart)).toThrow('--app-url must be on the same site as the service')
    expect(() => read(['--app-url', 'http://localhost:4870'])).toThrow(ConfigProblem)
  })

  it('names every flag in its usage', () => {
    for (const flag of ['port', 'host', 'data', 'source', 'seed', 'roles', 'log-level']) {
      expect(usage()).toContain(`--${flag} `)
    }
    expect(usage()).toContain('--webhook-allow-loopback')
    const provider = ['IDP_ISSUER', 'IDP_AUDIENCE', 'IDP_JWKS_URL']
    const model = ['LLM_URL', 'LLM_KEY', 'LLM_CHEAP', 'LLM_MEDIUM', 'LLM_HEAVY', 'LLM_CHEAP_PRICE']
    const venue = ['VENUE_A_KEY_ID', 'VENUE_A_PRIVATE_KEY_PATH']
    for (const name of ['SIGNUP', ...provider, ...model, ...venue]) {
      expect(usage()).toContain(`AUGURY_${name} `)
    }
  })
})

describe('a configuration that cannot be used', () => {
  it.each<[readonly string[], string]>([
    [['--colour', 'red'], 'unknown flag "--colour"'],
    [['demo'], 'unknown flag "demo"'],
    [['-p', '1'], 'unknown flag "-p"'],
    [['--port'], '--port needs a value'],
    [['--port', '--source', 'demo'], '--port needs a value'],
    [['--port', '65536'], '--port must be a whole number from 0 to 65535, was "65536"'],
    [['--port', '1e3'], '--port must be a whole number from 0 to 65535, was "1e3"'],
    [['--port='], '--port must be a whole number from 0 to 65535, was ""'],
    [['--seed', '-1'], '--seed must be a whole number from 0 to 4294967295, was "-1"'],
    [['--demo-markets', '0'], '--demo-markets must be a whole number from 1 to 100000, was "0"'],
    [['--source', 'paper'], '--source must be one of auto, live, demo, none, was "paper"'],
    [['--roles', 'api,cook'], '--roles must be one of api, ingest, worker, was "cook"'],
    [['--roles', ','], '--roles must name at least one role'],
    [['--log-level', 'loud'], '--log-level must be one of silent, error, warn, info, debug'],
    [['--host', ' '], '--host must be an address, was empty'],
    [['--base-url', 'augury.example'], '--base-url must be an address like http://… or https://…'],
    [['--ws-url', 'http://augury.example'], '--ws-url must be an address like ws://… or wss://…'],
    [['--webhook-allow-loopback=perhaps'], 'must be on or off, was "perhaps"'],
  ])('%j is refused with the given value and the accepted ones', (argv, message) => {
    expect(() => read(argv)).toThrow(ConfigProblem)
    expect(() => read(argv)).toThrow(message)
  })

  it('lists every known flag when one is unknown', () => {
    expect(() => read(['--colour'])).toThrow('--log-level, --webhook-allow-loopback')
  })

  it.each<[string, string, string]>([
    ['AUGURY_PORT', 'x', 'AUGURY_PORT must be a whole number from 0 to 65535, was "x"'],
    ['AUGURY_WEBHOOK_ALLOW_LOOPBACK', 'x', 'AUGURY_WEBHOOK_ALLOW_LOOPBACK must be on or off'],
    ['AUGURY_FAIR_USE', '0', 'AUGURY_FAIR_USE must be a whole number from 1'],
    ['AUGURY_TRUSTED_PROXY', 'proxy', 'AUGURY_TRUSTED_PROXY must be an IP address, was "proxy"'],
    ['AUGURY_VENUE_A_KEY_ID', 'id', 'must be set together'],
    ['AUGURY_VENUE_A_PRIVATE_KEY_PATH', '/a.pem', 'must be set together'],
  ])('is named by its variable: %s=%s', (variable, value, message) => {
    expect(() => read([], { [variable]: value })).toThrow(message)
  })

  it('accepts a mail server and a Telegram bot', () => {
    const settingsOf = (env: Record<string, string>) => readConfig([], env).notifications
    expect(
      settingsOf({
        AUGURY_SMTP_URL: 'smtps://ann:secret@mail.example.org',
        AUGURY_TELEGRAM_TOKEN: '1:t',
      }),
    ).toEqual({
      smtp: { url: 'smtps://ann:secret@mail.example.org', from: 'augury@mail.example.org' },
      telegram: { token: '1:t', url: 'https://api.telegram.org' },
    })
    const here = { AUGURY_TELEGRAM_TOKEN: '1:t', AUGURY_TELEGRAM_URL: 'http://127.0.0.1:9/' }
    expect(settingsOf(here).telegram?.url).toBe('http://127.0.0.1:9')
    for (const url of ['mail.example.org', 'https://ann:secret@mail.example.org', 'smtp:']) {
      const refused = () => settingsOf({ AUGURY_SMTP_URL: url })
      expect(refused).toThrow('AUGURY_SMTP_URL must be smtp://')
      expect(refused).not.toThrow('secret')
    }
  })

  it('accepts a language model by its address and the names of its tiers', () => {
    const modelOf = (env: Record<string, string>) => readConfig([], env).languageModel
    expect(modelOf({ AUGURY_LLM_CHEAP: 'small' })).toBeNull()
    expect(
      modelOf({
        AUGURY_LLM_URL: 'http://127.0.0.1:11434/v1/',
        AUGURY_LLM_BASE: 'base',
        AUGURY_LLM_HEAVY: 'large',
      }),
    ).toEqual({
      url: 'http://127.0.0.1:11434/v1',
      key: null,
      models: { cheap: 'base', heavy: 'large' },
    })
    expect(() => modelOf({ AUGURY_LLM_URL: 'http://127.0.0.1:1/v1' })).toThrow('AUGURY_LLM_CHEAP')
    expect(() => modelOf({ AUGURY_LLM_URL: 'ftp://x', AUGURY_LLM_CHEAP: 'a' })).toThrow(
      'AUGURY_LLM_URL must be an address',
    )
  })
})
