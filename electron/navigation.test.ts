import { describe, expect, it } from 'vitest'
import { destinationOf, isFromPage } from './navigation.ts'
import { mayUse } from './permissions.ts'

const APP = 'http://127.0.0.1:4870'

describe('destinationOf', () => {
  it.each([
    [`${APP}/`, 'inside'],
    [`${APP}/markets/x?y#z`, 'inside'],
    ['http://127.0.0.1:4871/', 'nowhere'],
    ['http://127.0.0.1.evil.example:4870/', 'nowhere'],
    ['http://127.0.0.1:4870@evil.example/', 'nowhere'],
    ['https://venue.example/market', 'browser'],
    ['http://venue.example/', 'nowhere'],
    ['file:///etc/passwd', 'nowhere'],
    ['javascript:alert(1)', 'nowhere'],
    ['data:text/html,x', 'nowhere'],
    ['augury://open?c=DES', 'nowhere'],
    [`blob:${APP}/1`, 'nowhere'],
    ['', 'nowhere'],
  ])('%s goes %s', (address, destination) => {
    expect(destinationOf(address, APP)).toBe(destination)
  })

  it('allows nothing before the backend has an address', () => {
    expect(destinationOf(`${APP}/`, '')).toBe('nowhere')
  })
})

describe('isFromPage', () => {
  it('accepts only the top frame at our address', () => {
    expect(isFromPage({ url: `${APP}/`, parent: null }, APP)).toBe(true)
    expect(isFromPage({ url: `${APP}/`, parent: {} }, APP)).toBe(false)
    expect(isFromPage({ url: 'https://evil.example/', parent: null }, APP)).toBe(false)
    expect(isFromPage(null, APP)).toBe(false)
  })
})

describe('mayUse', () => {
  it.each([
    ['notifications', [], true],
    ['clipboard-sanitized-write', [], true],
    ['fullscreen', [], true],
    ['media', ['audio'], true],
    ['media', ['audio', 'video'], false],
    ['media', ['video'], false],
    ['media', [], false],
    ['clipboard-read', [], false],
    ['geolocation', [], false],
    ['hid', [], false],
    ['constructor', [], false],
  ])('%s %j: %s', (permission, mediaTypes, allowed) => {
    expect(mayUse({ permission, from: `${APP}/`, mediaTypes }, APP)).toBe(allowed)
  })

  it('grants nothing to another origin', () => {
    expect(mayUse({ permission: 'notifications', from: 'https://evil.example' }, APP)).toBe(false)
    expect(mayUse({ permission: 'notifications', from: '' }, APP)).toBe(false)
  })
})
