import { describe, expect, it } from 'vitest'
import { linkAmong, readDeepLink, registration } from './deep-link.ts'

describe('readDeepLink', () => {
  it.each([
    ['augury://open?c=KXFED-26DEC%20DES', 'KXFED-26DEC DES'],
    ['augury://open/?c=WORLD+iran', 'WORLD iran'],
    ['AUGURY://OPEN?c=SCAN%20oil%3B%20MOV', 'SCAN oil; MOV'],
    ['augury:open?c=HELP', 'HELP'],
    ['augury:///open?c=HELP', 'HELP'],
  ])('%s opens "%s" [terminal.desktop.link]', (address, line) => {
    expect(readDeepLink(address)).toEqual({ kind: 'line', line })
  })

  it.each([
    ['https://open?c=HELP', 'is not an Augury link'],
    ['augury://delete?c=HELP', 'only open panes'],
    ['augury://open/elsewhere?c=HELP', 'only open panes'],
    ['augury://user@open?c=HELP', 'only open panes'],
    ['augury://open', 'has no command'],
    ['augury://open?c=', 'has no command'],
    ['augury://open?c=%20%20', 'has no command'],
    ['augury://open?c=HELP&ticket=T', 'has no command'],
    ['augury://open?c=HELP&c=HALT', 'has no command'],
    ['augury://open?ticket=T', 'has no command'],
    [`augury://open?c=${'A'.repeat(2_001)}`, 'too long'],
    ['augury://open?c=HELP%0AHALT', 'must be one line'],
    ['augury://open?c=HELP%E2%80%A8HALT', 'must be one line'],
    ['augury', 'is not an Augury link'],
    ['', 'is not an Augury link'],
  ])('%s is refused: it %s [terminal.desktop.link]', (address, why) => {
    const link = readDeepLink(address)
    expect(link.kind).toBe('refused')
    expect('why' in link && link.why).toContain(why)
  })
})

describe('registration for links', () => {
  it('finds the link among the arguments', () => {
    expect(linkAmong(['/opt/augury', '--', 'augury://open?c=HELP'])).toBe('augury://open?c=HELP')
    expect(linkAmong(['C:\\Augury.exe', 'AUGURY://open?c=HELP'])).toBe('AUGURY://open?c=HELP')
    expect(linkAmong(['/opt/augury', '--source', 'demo'])).toBeNull()
  })

  it('starts the program, unpacked with the path of the app', () => {
    expect(registration('/opt/augury', null)).toEqual({ path: '/opt/augury', args: [] })
    expect(registration('/electron', '/src').args).toEqual(['/src'])
  })
})
