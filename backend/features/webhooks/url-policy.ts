import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { InvalidInput } from '../../lib/errors.ts'

/** Longest address of an endpoint, in characters. */
const MAX_URL_LENGTH = 2_048
const HTTPS_PORT = 443
const MIN_CUSTOM_PORT = 1_024
/** Ports of databases and container engines, which a webhook never means. */
const REFUSED_PORTS: ReadonlySet<number> = new Set([
  2_375, 2_376, 3_306, 5_432, 6_379, 9_200, 11_211, 27_017,
])
const LOCAL_NAMES = ['localhost', 'local', 'internal', 'home.arpa']

/** Addresses that are not public; contract/theses-portfolio.md 6.5. */
const PRIVATE = blockListOf(
  [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ],
  [
    '::/128',
    '::1/128',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '2001::/23',
    '2001:db8::/32',
    '2002::/16',
    'fc00::/7',
    'fe80::/10',
    'fec0::/10',
    'ff00::/8',
  ],
)
const LOOPBACK = blockListOf(['127.0.0.0/8'], ['::1/128'])

function blockListOf(ipv4: readonly string[], ipv6: readonly string[]): BlockList {
  const list = new BlockList()
  const add = (family: 'ipv4' | 'ipv6') => (range: string) => {
    const [network = '', prefix] = range.split('/')
    list.addSubnet(network, Number(prefix), family)
  }
  ipv4.forEach(add('ipv4'))
  ipv6.forEach(add('ipv6'))
  return list
}

/** Whether an address is in a list; one that embeds an IPv4 address counts as that address. */
const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

export interface UrlPolicyOptions {
  /** Admits loopback addresses, for demos and tests. */
  readonly allowLoopback: boolean
  /** Addresses of the service itself, which are always refused. */
  readonly ownAddresses: readonly string[]
  /** Resolves a name to all its addresses; the system's resolver by default. */
  readonly resolve?: (host: string) => Promise<readonly string[]>
}

/** Which addresses webhooks may be sent to. */
export interface UrlPolicy {
  /** The normalised address. @throws InvalidInput URL_REFUSED with the reason */
  check(url: string): Promise<string>
  /**
   * The address to connect to: every address that the host resolves to must be allowed.
   * @throws Error with the reason
   */
  resolvePinned(url: URL): Promise<string>
  /** Throws with the reason unless a connected address is allowed. */
  admit(address: string): void
}

const refusal = (reason: string): InvalidInput =>
  new InvalidInput(`url refused: ${reason}`, { code: 'URL_REFUSED' })

const resolveAll = async (host: string): Promise<readonly string[]> =>
  (await systemLookup(host, { all: true })).map(({ address }) => address)

export function createUrlPolicy(options: UrlPolicyOptions): UrlPolicy {
  const { allowLoopback, resolve = resolveAll } = options
  const serviceUrls = options.ownAddresses.map((address) => new URL(address))
  const servicePorts = new Set(serviceUrls.map(portOf))
  const serviceHosts = new Set(serviceUrls.map(hostOf))

  const reasonAgainst = (address: string): string | null => {
    if (allowLoopback && isIn(LOOPBACK, address)) return null
    return isIn(PRIVATE, address) ? 'address is not public' : null
  }
  const admit = (address: string): void => {
    const reason = reasonAgainst(address)
    if (reason !== null) throw refusal(reason)
  }
  const nameReason = (host: string): string | null => {
    const isLoopbackName = host === 'localhost' || host.endsWith('.localhost')
    if (isLoopbackName) return allowLoopback ? null : 'name is local'
    if (LOCAL_NAMES.some((name) => host === name || host.endsWith(`.${name}`))) {
      return 'name is local'
    }
    return host.includes('.') ? null : 'name has no dot'
  }
  const parseUrl = (text: string): URL => {
    if (text.length > MAX_URL_LENGTH)
      throw refusal(`url is longer than ${MAX_URL_LENGTH} characters`)
    if (!URL.canParse(text)) throw refusal('url is not an address')
    const url = new URL(text)
    if (url.protocol !== 'https:') throw refusal('url must use https')
    if (url.username !== '' || url.password !== '') throw refusal('url must not hold credentials')
    if (url.hash !== '') throw refusal('url must not have a fragment')
    if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
    const port = portOf(url)
    if (port !== HTTPS_PORT && (port < MIN_CUSTOM_PORT || REFUSED_PORTS.has(port))) {
      throw refusal(`port ${port} is not allowed`)
    }
    const host = hostOf(url)
    if (isIP(host) !== 0) {
      admit(host)
    } else {
      const reason = nameReason(host)
      if (reason !== null) throw refusal(reason)
    }
    const isLoopback = host === 'localhost' || (isIP(host) !== 0 && isIn(LOOPBACK, host))
    const isOwn = isLoopback ? servicePorts.has(port) : serviceHosts.has(host)
    if (isOwn) throw refusal('url is an address of this service')
    return url
  }
  const addressesOf = (url: URL): Promise<readonly string[]> => {
    const host = hostOf(url)
    return isIP(host) === 0 ? resolve(host) : Promise.resolve([host])
  }

  return {
    admit,
    async check(text) {
      const url = parseUrl(text)
      // A name that does not resolve yet may be set up later.
      for (const address of await addressesOf(url).catch(() => [])) admit(address)
      return url.href
    },
    async resolvePinned(url) {
      const addresses = await addressesOf(parseUrl(url.href))
      for (const address of addresses) admit(address)
      const [first] = addresses
      if (first === undefined) throw new Error('the host name has no address')
      return first
    },
  }
}

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? HTTPS_PORT : 80) : Number(port)
/** The host without the brackets of an IPv6 address. */
const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')
