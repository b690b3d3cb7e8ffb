# Runs PROGRAM in two processes: one saves and goes on, the other restores; the hashes must agree.
foreach(steps 0 1 37 150)
  set(file ${WORK}/snapshot_${steps}.bin)
  execute_process(COMMAND ${PROGRAM} save ${file} ${steps} OUTPUT_VARIABLE went_on RESULT_VARIABLE a)
  execute_process(COMMAND ${PROGRAM} load ${file} OUTPUT_VARIABLE resumed RESULT_VARIABLE b)
  if(NOT a EQUAL 0 OR NOT b EQUAL 0 OR NOT went_on STREQUAL resumed OR went_on STREQUAL "")
    message(FATAL_ERROR "after ${steps} steps a restored world goes another way (exit ${a}, ${b})")
  endif()
endforeach()
