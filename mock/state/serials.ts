import { indexOfPlace } from './layer.ts';

/**
 * The serial numbers of the items of a layer, which grow from place to place: those from `first` on
 * without a gap, unless all are listed.
 */
export type Serials = { readonly first: number; listed?: number[] };

/** The serial number at a place. */
export function serialAt({ first, listed }: Serials, place: number): number {
  return listed ? (listed[place] as number) : first + place;
}

/** The place of the first serial number above another, or the one behind all. */
export function placeAfter({ first, listed }: Serials, serial: number): number {
  return listed ? indexOfPlace(listed, serial + 1) : Math.max(0, serial + 1 - first);
}

/** Notes the serial number of an item that is added behind `count` others. */
export function noteSerial(serials: Serials, count: number, serial: number): void {
  if (!serials.listed) {
    if (serials.first + count === serial) return;
    serials.listed = Array.from({ length: count }, (_, place) => serials.first + place);
  }
  serials.listed.push(serial);
}
