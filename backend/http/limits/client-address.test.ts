import { describe, expect, it } from 'vitest'
import { clientAddress } from './client-address.ts'

const PROXY = '10.0.0.1'

describe('client address', () => {
  it.each<[string, string | null, string, string | undefined, string]>([
    ['the peer where no proxy is named', null, PROXY, '6.6.6.6', PROXY],
    ['the peer when it is not the proxy', PROXY, '9.9.9.9', '6.6.6.6', '9.9.9.9'],
    ['the one entry of the proxy', PROXY, PROXY, '1.2.3.4', '1.2.3.4'],
    ['the rightmost entry, not what a stranger wrote', PROXY, PROXY, '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['past the proxy itself', PROXY, PROXY, '6.6.6.6, 1.2.3.4, 10.0.0.1', '1.2.3.4'],
    ['an IPv4-mapped peer as the proxy', PROXY, `::ffff:${PROXY}`, '1.2.3.4', '1.2.3.4'],
    ['an entry without its port', PROXY, PROXY, '1.2.3.4:5678', '1.2.3.4'],
    ['an IPv6 entry without brackets and port', PROXY, PROXY, '[2001:db8::1]:80', '2001:db8::1'],
    ['an IPv6 proxy in any case', '2001:DB8::9', '2001:db8::9', '2001:db8::1', '2001:db8::1'],
    ['the proxy when it forwards nobody', PROXY, PROXY, undefined, PROXY],
    ['the proxy when only it is listed', PROXY, PROXY, PROXY, PROXY],
    ['the proxy when the entry is no address', PROXY, PROXY, '1.2.3.4, unknown', PROXY],
    ['the proxy when the last entry is empty', PROXY, PROXY, '1.2.3.4,', PROXY],
  ])('is %s', (_case, trustedProxy, remoteAddress, forwarded, expected) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    expect(clientAddress({ headers, socket: { remoteAddress } }, trustedProxy)).toBe(expected)
  })
})
