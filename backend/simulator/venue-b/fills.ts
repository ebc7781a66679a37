import { hexOf, mix, tokenOf, unit } from '../randomness.ts'
import type { SimTrade } from '../tape/sim-trade.ts'

/** One token's view of a match: the taker bought or sold the first or the second outcome. */
export interface Fill {
  readonly outcome: 0 | 1
  readonly side: 'BUY' | 'SELL'
  /** 1e-4 dollars on the scale of the token. */
  readonly price: number
  readonly transaction: string
  readonly wallet: string
}

/** The taker's leg of a match. Some transactions contain two matches of the same hour. */
export function fillOf(trade: SimTrade): Fill {
  const key = mix(mix(trade.market.key, trade.hour), trade.index)
  const onFirst = unit(key, 1) < (trade.takerYes ? 0.85 : 0.4)
  const batch = unit(mix(trade.market.key, trade.hour), 3) < 0.1 ? trade.index >> 1 : trade.index
  return {
    outcome: onFirst ? 0 : 1,
    side: onFirst === trade.takerYes ? 'BUY' : 'SELL',
    price: onFirst ? trade.price : 10_000 - trade.price,
    transaction: `0x${hexOf(mix(mix(trade.market.key ^ 0x7a5b, trade.hour), batch), 64)}`,
    wallet: walletOf(key, 5),
  }
}

/**
 * The maker's leg, on the same token or, when a full set was minted or merged, on the other one.
 */
export function makerFillOf(trade: SimTrade): Fill {
  const taker = fillOf(trade)
  const key = mix(mix(trade.market.key, trade.hour), trade.index)
  if (unit(key, 2) < 0.6)
    return { ...taker, side: taker.side === 'BUY' ? 'SELL' : 'BUY', wallet: walletOf(key, 6) }
  return {
    ...taker,
    outcome: taker.outcome === 0 ? 1 : 0,
    price: 10_000 - taker.price,
    wallet: walletOf(key, 6),
  }
}

const WALLETS = 4_000
const wallets: string[] = []
const names = new Map<string, string>()

/** One of a few thousand traders. */
function walletOf(key: number, part: number): string {
  const number = mix(key, part) % WALLETS
  return (wallets[number] ??= `0x${hexOf(mix(0xacc7, number), 40)}`)
}

/** A trader's display name. */
export function nameOf(wallet: string): string {
  const walletName = names.get(wallet)
  if (walletName !== undefined) return walletName
  const name = `trader-${tokenOf(parseInt(wallet.slice(2, 9), 16)).slice(0, 4)}`
  names.set(wallet, name)
  return name
}
