// SPDX-License-Identifier: MIT
// What all scenes have in common: z is up, SI units.
export const GRAVITY = 9.81, FRICTION = 0.5, DENSITY = 1000, STEP = 1 / 60;
