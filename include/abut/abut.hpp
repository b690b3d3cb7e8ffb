// SPDX-License-Identifier: MIT
#pragma once

// Everything at once. Each header also stands alone.

#include <abut/collision/collision_group.hpp>
#include <abut/collision/collision_object.hpp>
#include <abut/constraints/contact_constraint.hpp>
#include <abut/core/float_environment.hpp>
#include <abut/core/object_id.hpp>
#include <abut/core/status.hpp>
#include <abut/core/status_of.hpp>
#include <abut/core/tasks.hpp>
#include <abut/dynamics/body.hpp>
#include <abut/dynamics/material.hpp>
#include <abut/events/contact_event.hpp>
#include <abut/events/contact_event_tracker.hpp>
#include <abut/hybrid/compliant_system.hpp>
#include <abut/hybrid/hybrid_system.hpp>
#include <abut/hybrid/impact_simulation.hpp>
#include <abut/joints/joint.hpp>
#include <abut/ledger/ledger.hpp>
#include <abut/manifold/contact_manifold_cache.hpp>
#include <abut/math/aabb.hpp>
#include <abut/math/convert.hpp>
#include <abut/math/placement.hpp>
#include <abut/narrow_phase/cast.hpp>
#include <abut/narrow_phase/collision_result.hpp>
#include <abut/narrow_phase/contact.hpp>
#include <abut/narrow_phase/contact_geometry.hpp>
#include <abut/narrow_phase/queries.hpp>
#include <abut/shapes/box_shape.hpp>
#include <abut/shapes/capsule_shape.hpp>
#include <abut/shapes/compound_shape.hpp>
#include <abut/shapes/cone_shape.hpp>
#include <abut/shapes/convex_shape.hpp>
#include <abut/shapes/cylinder_shape.hpp>
#include <abut/shapes/height_field_shape.hpp>
#include <abut/shapes/mesh_shape.hpp>
#include <abut/shapes/plane_shape.hpp>
#include <abut/shapes/point_cloud_shape.hpp>
#include <abut/shapes/sphere_shape.hpp>
#include <abut/world/inspect.hpp>
#include <abut/world/world.hpp>
