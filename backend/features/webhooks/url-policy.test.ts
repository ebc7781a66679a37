import { describe, expect, it } from 'vitest'
import { createUrlPolicy } from './url-policy.ts'

const OWN = ['http://127.0.0.1:4870', 'https://augury.example.com']
const resolve = (host: string): Promise<readonly string[]> => {
  const addresses: Record<string, readonly string[]> = {
    'hooks.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
    'private.example.com': ['93.184.215.14', '10.0.0.7'],
    'metadata.example.com': ['169.254.169.254'],
    'xn--bcher-kva.example': ['93.184.215.14'],
  }
  const found = addresses[host]
  return found === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(found)
}
const policy = createUrlPolicy({ allowLoopback: false, ownAddresses: OWN, resolve })
const local = createUrlPolicy({ allowLoopback: true, ownAddresses: OWN, resolve })

describe('the address of a webhook [webhooks.url.policy]', () => {
  it.each([
    ['https://hooks.example.com/a?b=c', 'https://hooks.example.com/a?b=c'],
    ['https://hooks.example.com:8443/', 'https://hooks.example.com:8443/'],
    ['https://hooks.example.com./', 'https://hooks.example.com/'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://not-there-yet.example.com/', 'https://not-there-yet.example.com/'],
    ['https://93.184.215.14/', 'https://93.184.215.14/'],
  ])('%s is accepted', async (url, normalised) => {
    expect(await policy.check(url)).toBe(normalised)
  })

  it.each<[string, string]>([
    ['http://hooks.example.com/', 'url must use https'],
    ['ftp://hooks.example.com/', 'url must use https'],
    ['not an address', 'url is not an address'],
    ['https://user:pass@hooks.example.com/', 'url must not hold credentials'],
    ['https://user@hooks.example.com/', 'url must not hold credentials'],
    ['https://hooks.example.com/#part', 'url must not have a fragment'],
    ['https://hooks.example.com:80/', 'port 80 is not allowed'],
    ['https://hooks.example.com:5432/', 'port 5432 is not allowed'],
    ['https://hooks.example.com:2376/', 'port 2376 is not allowed'],
    [`https://hooks.example.com/${'x'.repeat(2_048)}`, 'url is longer than 2048 characters'],
    ['https://localhost/', 'name is local'],
    ['https://a.localhost/', 'name is local'],
    ['https://printer.local/', 'name is local'],
    ['https://db.internal./', 'name is local'],
    ['https://router.home.arpa/', 'name is local'],
    ['https://intranet/', 'name has no dot'],
    ['https://augury.example.com/', 'url is an address of this service'],
    ['https://private.example.com/', 'address is not public'],
    ['https://metadata.example.com/', 'address is not public'],
    ...[
      '127.0.0.1',
      '0x7f000001',
      '0x7f.1',
      '2130706433',
      '0177.0.0.1',
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '169.254.169.254',
      '172.31.255.255',
      '192.0.2.1',
      '192.88.99.1',
      '192.168.0.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.9',
      '224.0.0.1',
      '255.255.255.255',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:a00:1]',
      '[64:ff9b::a00:1]',
      '[100::1]',
      '[2001:db8::1]',
      '[2002:a00:1::]',
      '[fc00::1]',
      '[fd12::1]',
      '[fe80::1]',
      '[fec0::1]',
      '[ff02::1]',
    ].map((host) => [`https://${host}/`, 'address is not public'] as [string, string]),
  ])('%s is refused: %s', async (url, reason) => {
    await expect(policy.check(url)).rejects.toMatchObject({
      code: 'URL_REFUSED',
      message: `url refused: ${reason}`,
    })
  })

  it('is checked again when it is connected to, because names change', async () => {
    let address = '93.184.215.14'
    const changing = createUrlPolicy({
      allowLoopback: false,
      ownAddresses: OWN,
      resolve: () => Promise.resolve([address]),
    })
    const url = await changing.check('https://hooks.example.com/')
    expect(await changing.resolvePinned(new URL(url))).toBe('93.184.215.14')
    address = '127.0.0.1'
    await expect(changing.resolvePinned(new URL(url))).rejects.toThrow('address is not public')
    expect(() => changing.admit('::ffff:10.0.0.1')).toThrow('address is not public')
  })

  it('may be this machine by a flag, but never the service', async () => {
    expect(await local.check('https://127.0.0.1:9443/')).toBe('https://127.0.0.1:9443/')
    expect(await local.check('https://localhost:9443/')).toBe('https://localhost:9443/')
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      await expect(local.check(`https://${host}:4870/`)).rejects.toThrow(
        'url is an address of this service',
      )
    }
    await expect(local.check('https://10.0.0.1/')).rejects.toThrow('address is not public')
  })
})
