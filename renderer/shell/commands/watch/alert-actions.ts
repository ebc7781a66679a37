import type { Live } from '../../../api/live.ts'
import type { Account } from '../../window/account.svelte.ts'
import type { Command } from '../command.ts'

/** The parts of the terminal that ALERT uses. */
export interface AlertSetter {
  readonly live: Pick<Live, 'read' | 'send' | 'source' | 'refetch'>
  readonly account: Pick<Account, 'signInState'>
  /** The market of a command. */
  marketOf(command: Command): string | null
  showNotice(text: string, tone?: 'info' | 'error'): void
}

/** ALERT with a price sets an alert; without one its pane opens (false). */
export function alert(setter: AlertSetter, command: Command): boolean {
  const { price } = command.args
  if (price === undefined) return false
  if (setter.account.signInState === 'anonymous') {
    setter.showNotice('Sign in to set alerts. ACCOUNT opens the form', 'error')
    return false
  }
  const ticker = setter.marketOf({ ...command, subject: command.subject ?? { kind: 'focus' } })
  if (ticker === null) setter.showNotice('Name or select a market first; $ marks a ticker', 'error')
  else {
    import('./set-alert.ts').then(
      ({ setAlert }) => void setAlert(setter, ticker, Number(price), command.args['side'] ?? null),
      () => setter.showNotice('No alert was set: the service is not reachable', 'error'),
    )
  }
  return true
}
